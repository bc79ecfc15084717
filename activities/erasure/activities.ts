import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import { findById } from '../../entities/database/find';
import { performance } from 'node:perf_hooks';
import { AppError } from '../../entities/errors';
import type { Cause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { revokeAccess, unlockSubject } from './access';
import { anonymiseSubject, completeErasure } from './anonymise';
import { cleanCopies, cleanStart, type CleanCursor } from './clean';
import { forgetRecipient, isConfirmationOver, prepareConfirmation } from './confirmation';
import { lockSubject, type LockSubject } from './lock';
import { noteErasureRetry, type RetriedErasure } from './operator-commands';
import { participationsOf, searchedWith, type ErasureKey } from './subject';
import { sliceMs } from '../../entities/database/sql';
import { minuteMs } from '../../entities/rules/values/duration';

/** What the workflow is started with. */
type LockInput = LockSubject & Pick<Cause, 'actor'>;

export interface CleanInput {
  erasureId: string;
  /** Null: what belongs to the account itself. */
  participantId: string | null;
  from: CleanCursor | null;
  /** ISO instant, of the second pass: texts that were written since then. */
  since?: string | null;
}

export interface AnonymiseInput {
  erasureId: string;
  /** ISO instant by the database's clock; null when the erasure can only go on. */
  until: string | null;
}

export interface Anonymised {
  participantIds: string[];
  erasedAt: string;
}

/** The steps of eraseSubject: ids and times in and out, each of them can be repeated. */
export function createErasureActivities(deps: Pick<Deps, 'db' | 'vault' | 'clock'>) {
  const db = deps.db.manager;
  const { clock } = deps;
  const at = (): Pick<Cause, 'now'> => ({ now: clock.now() });
  return {
    /** All that can be undone, at one turn in the queue: a person waits for it. */
    async beginErasure({ actor, ...command }: LockInput): Promise<{ erasedAt: string }> {
      const { erasureId } = command;
      const { erasedAt } = await lockSubject(deps, { actor, now: clock.now() }, command);
      try {
        await revokeAccess(deps, erasureId);
        await prepareConfirmation(deps, at(), erasureId);
      } catch (error) {
        // An error is no refusal any more once the subject is locked: the activity is tried again, and then undone.
        throw new Error('the erasure is locked and not prepared', { cause: error });
      }
      return { erasedAt: erasedAt.toISOString() };
    },

    /** False: it cannot be undone any more. */
    undoErasureLock: (lock: ErasureKey): Promise<boolean> => unlockSubject(deps, at(), lock),

    /**
     * The point of no return; returns the participations whose copies are to be cleaned. Null when
     * `until` came first: nobody waits for it any more, and it has to be undone.
     */
    async anonymiseErased({ erasureId, until }: AnonymiseInput): Promise<Anonymised | null> {
      const isPassed = await anonymiseSubject(deps, { ...at(), until }, erasureId);
      if (!isPassed) return null;
      const erasure = await findById(db, Erasure, erasureId);
      if (!erasure) throw new AppError('NOT_FOUND');
      const participantIds = (await participationsOf(db, erasure)).map(({ id }) => id);
      return { participantIds, erasedAt: erasure.erasedAt.toISOString() };
    },

    /** Cleans for some seconds; null once this part is clean. */
    async cleanErasedCopies(input: CleanInput): Promise<CleanCursor | null> {
      const erasure = await findById(db, Erasure, input.erasureId);
      if (!erasure) throw new AppError('NOT_FOUND');
      const all = await participationsOf(db, erasure);
      const participation = all.find(({ id }) => id === input.participantId) ?? null;
      if (!participation && input.participantId !== null) return null;
      const end = performance.now() + sliceMs;
      const until = (): boolean => performance.now() > end;
      const from = input.from ?? cleanStart;
      // Clocks of processes differ, and a write may take a while to commit.
      const since = input.since ? new Date(Date.parse(input.since) - minuteMs) : null;
      const together = participation ? searchedWith(all, participation) : [];
      const part = { erasure, participation, together, since };
      return cleanCopies(deps, part, { from, until });
    },

    /** Notes that an operator has what it waits for tried at once. */
    noteErasureRetry: (retried: RetriedErasure): Promise<void> => noteErasureRetry(deps, retried),

    completeErasure: ({ erasureId }: { erasureId: string }): Promise<void> =>
      completeErasure(deps, at(), erasureId),

    isErasureMailOver: ({ erasureId }: { erasureId: string }): Promise<boolean> =>
      isConfirmationOver(db, erasureId),

    forgetErasureRecipient: ({ erasureId }: { erasureId: string }): Promise<void> =>
      forgetRecipient(db, at(), erasureId),
  };
}
