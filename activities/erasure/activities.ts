import { performance } from 'node:perf_hooks';
import { AppError } from '../../entities/errors';
import type { Deps } from '../runtime/process/deps';
import { revokeAccess, unlockSubject } from './access';
import { anonymiseSubject, completeErasure } from './anonymise';
import { cleanCopies, cleanStart, type CleanCursor } from './clean';
import { forgetRecipient, isConfirmationOver, prepareConfirmation } from './confirmation';
import { lockSubject, type LockCommand } from './lock';
import { findErasure, participationsOf, type ErasureKey } from './subject';

export interface CleanInput {
  erasureId: string;
  /** Null: what belongs to the account itself. */
  participantId: string | null;
  from: CleanCursor | null;
}

/** One activity works for so long at most, and then says where to go on. */
const turnMs = 4_000;

/** The steps of eraseSubject: ids and times in and out, each of them can be repeated. */
export function createErasureActivities(deps: Pick<Deps, 'db' | 'vault' | 'clock'>) {
  const db = deps.db.manager;
  const now = (): Date => deps.clock.now();
  return {
    async lockErasureSubject(command: LockCommand): Promise<{ erasedAt: string }> {
      const { erasedAt } = await lockSubject(deps, command, now());
      return { erasedAt: erasedAt.toISOString() };
    },

    revokeErasedAccess: ({ erasureId }: { erasureId: string }): Promise<void> =>
      revokeAccess(deps, erasureId),

    prepareErasureMail: ({ erasureId }: { erasureId: string }): Promise<void> =>
      prepareConfirmation(deps, erasureId, now()),

    /** False: it cannot be undone any more. */
    undoErasureLock: (lock: ErasureKey): Promise<boolean> => unlockSubject(deps, lock, now()),

    /** The point of no return; gives the participations whose copies are to be cleaned. */
    async anonymiseErased({ erasureId }: { erasureId: string }): Promise<string[]> {
      await anonymiseSubject(deps, erasureId, now());
      const erasure = await findErasure(db, erasureId);
      return erasure ? (await participationsOf(db, erasure)).map(({ id }) => id) : [];
    },

    /** Cleans for some seconds; null once this part is clean. */
    async cleanErasedCopies(input: CleanInput): Promise<CleanCursor | null> {
      const erasure = await findErasure(db, input.erasureId);
      if (!erasure) throw new AppError('NOT_FOUND');
      const all = await participationsOf(db, erasure);
      const participation = all.find(({ id }) => id === input.participantId) ?? null;
      if (!participation && input.participantId !== null) return null;
      const end = performance.now() + turnMs;
      const until = (): boolean => performance.now() > end;
      const from = input.from ?? cleanStart;
      return cleanCopies(deps, { erasure, participation }, { from, until });
    },

    completeErasure: ({ erasureId }: { erasureId: string }): Promise<void> =>
      completeErasure(deps, erasureId, now()),

    isErasureMailOver: ({ erasureId }: { erasureId: string }): Promise<boolean> =>
      isConfirmationOver(db, erasureId),

    forgetErasureRecipient: ({ erasureId }: { erasureId: string }): Promise<void> =>
      forgetRecipient(db, erasureId, now()),
  };
}
