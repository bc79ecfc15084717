import {
  claimWork,
  oldestWork,
  type ClaimOptions,
  type SharedClaim,
} from '../../activities/journal/outbox-claims';
import type { OutboxTopic } from '../../activities/journal/outbox';
import type { Deps } from '../../runtime/process/deps';

export type Claims = ReturnType<typeof createClaims>;

/** The share of the time: the look for the oldest row walks over all that was done and that a snapshot still sees. */
const refreshShare = 0.05;
/** A commit may come this much after the moment that its rows are due, and be seen at once all the same. */
const lateMs = 5_000;

const firstWorkspace = '00000000-0000-0000-0000-000000000000';

/** The claims of one topic, one after the other. */
export function createClaims(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  topic: OutboxTopic,
  refreshMs = 10_000,
) {
  let since = new Date(0);
  let refreshAt = Number.NEGATIVE_INFINITY;
  let afterWorkspace: string | null = null;

  /** Rows of a transaction that was open for longer than `lateMs` are found here. */
  async function refresh(): Promise<void> {
    const began = performance.now();
    if (began < refreshAt) return;
    const now = clock.now();
    const oldest = (await oldestWork(db.manager, topic)) ?? now;
    since = new Date(Math.min(oldest.getTime(), now.getTime()) - lateMs);
    refreshAt = began + Math.max(refreshMs, (performance.now() - began) / refreshShare);
  }

  return {
    /** The time from which frequent looks begin: all that was due before is done. */
    get since(): Date {
      return since;
    },
    /** Takes what is due: oldest first, or of each workspace its share while more waits than a claim takes. */
    async next(wanted: Pick<ClaimOptions, 'limit' | 'triedBelow'>): Promise<SharedClaim> {
      await refresh();
      const now = clock.now();
      const options = { ...wanted, topic, now, since, afterWorkspace };
      const claim = await claimWork(db.manager, options);
      afterWorkspace = nextWorkspace(claim, afterWorkspace, wanted.limit);
      return claim;
    },
  };
}

/** Where the round among the workspaces goes on; null once a claim takes all that waits. */
function nextWorkspace(
  { work, behind }: SharedClaim,
  after: string | null,
  limit: number,
): string | null {
  if (work.length >= limit) return after === null ? firstWorkspace : lastWorkspace(work);
  // All that were read may be under way; the others still wait.
  if (behind !== null) return behind;
  // The end of the round; the next one finds whether there is still more than a claim takes.
  return after === null || after === firstWorkspace ? null : firstWorkspace;
}

function lastWorkspace(work: SharedClaim['work']): string {
  return work.reduce((max, { workspaceId }) => (workspaceId > max ? workspaceId : max), '');
}
