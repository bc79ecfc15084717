import { randomUUID } from 'node:crypto';
import {
  claimWork,
  type Claim,
  type ClaimOptions,
  type SharedClaim,
  type Work,
} from '../../activities/journal/outbox-claims';
import { claimDelayed, type DelayedClaim } from '../../activities/journal/outbox-delayed';
import type { Deps } from '../../runtime/process/deps';
import type { Db } from '../../entities/database/sql';
import { createCursor, type OutboxCursor } from './outbox-cursor';

/** What a relay knows of one topic between its claims. */
export interface ClaimState {
  cursor: OutboxCursor;
  /** Delayed rows have come due. */
  hasDelayed: boolean;
  /** Where the next claim goes on among the workspaces; null while a claim takes all that waits. */
  afterWorkspace: string | null;
  /** The same among those that have delayed rows. */
  afterDelayed: string;
  /** Whose turn it is while a claim takes one row: 1 for what is delayed. */
  halves: number;
}

const firstWorkspace = '00000000-0000-0000-0000-000000000000';

export function newClaimState(cursorMs?: number): ClaimState {
  return {
    cursor: createCursor(cursorMs),
    hasDelayed: false,
    afterWorkspace: null,
    afterDelayed: firstWorkspace,
    halves: 0,
  };
}

/** What is due since its commit, and, when some has come due, as much of what was delayed. */
export async function claimSome(
  deps: Pick<Deps, 'db' | 'clock'>,
  known: ClaimState,
  { topic, limit, triedBelow }: Pick<ClaimOptions, 'topic' | 'limit' | 'triedBelow'>,
): Promise<Claim> {
  const db = deps.db.manager;
  await known.cursor.advance(db, topic);
  const options = { topic, now: deps.clock.now(), triedBelow, token: randomUUID() };
  // Half of a claim, so that neither kind waits for the end of the other; of one row, every other one.
  known.halves = (known.halves + 1) % 2;
  const half = { ...options, limit: limit === 1 ? known.halves : Math.ceil(limit / 2) };
  const takesDelayed = known.hasDelayed && half.limit > 0;
  const delayed = takesDelayed ? await claimSomeDelayed(db, known, half) : [];
  const left = { ...options, limit: limit - delayed.length };
  const fresh = left.limit > 0 ? claimSomeFresh(db, known, left) : Promise.resolve([]);
  // What is leased already is carried on, whatever becomes of the rest.
  const rest = delayed.length > 0 ? fresh.catch(() => []) : fresh;
  return { ...options, work: [...(await rest), ...delayed] };
}

async function claimSomeFresh(
  db: Db,
  known: ClaimState,
  options: Omit<ClaimOptions, 'kind' | 'from' | 'afterWorkspace'>,
): Promise<Work[]> {
  const { afterWorkspace, cursor } = known;
  const from = cursor.fresh;
  const claim = await claimWork(db, { ...options, kind: 'fresh', from, afterWorkspace });
  known.afterWorkspace = nextWorkspace(claim, afterWorkspace, options.limit);
  return claim.work;
}

/** Goes round the workspaces that have some. */
async function claimSomeDelayed(
  db: Db,
  known: ClaimState,
  options: Omit<DelayedClaim, 'afterWorkspace'>,
): Promise<Work[]> {
  const afterWorkspace = known.afterDelayed;
  const { work, behind } = await claimDelayed(db, { ...options, afterWorkspace });
  // Over once a round from the first workspace on has found nothing.
  const isRound = behind === null && afterWorkspace === firstWorkspace;
  known.hasDelayed = !isRound || work.length > 0;
  known.afterDelayed = behind ?? firstWorkspace;
  return work;
}

/** The cursor among the workspaces, while more waits than a claim takes. */
function nextWorkspace(
  { work, behind }: Pick<SharedClaim, 'work' | 'behind'>,
  after: string | null,
  limit: number,
): string | null {
  if (work.length >= limit) return after === null ? firstWorkspace : lastWorkspace(work);
  // Of those that were looked at all may be under way; the others still wait.
  if (behind !== null) return behind;
  // The end of the round; the next one finds whether there is still more than a claim takes.
  return after === null || after === firstWorkspace ? null : firstWorkspace;
}

function lastWorkspace(work: readonly Work[]): string {
  return work.reduce((max, { workspaceId }) => (workspaceId > max ? workspaceId : max), '');
}
