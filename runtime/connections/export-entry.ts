import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../entities/errors';

/** The end of an export is seen a little later here than by its reader, who may ask for the next one. */
const entryPatienceMs = 2_000;

/** Each keeps two pages in memory. */
const mostUnderWay = 100;
/** Of the members of one workspace: the rest is left to others, however slowly these read... */
const mostOfAWorkspace = 10;
/** ...and of partners, all of them together: whoever likes has many accounts of these. */
const mostOfPartners = 30;

export interface Exporter {
  accountId: string;
  /** None of a partner. */
  workspaceId?: string;
}

/** Lets an account's export begin, and returns what ends it. */
export type Enter = (exporter: Exporter) => Promise<() => void>;

/** At most this many exports of an account at a time in this process; 0: any number. */
export function createExportEntry(perAccount: number): Enter {
  const ofAccounts = new Map<string, Set<Promise<void>>>();
  const ofGroups = new Map<string, number>();
  let underWay = 0;
  const of = (accountId: string) => ofAccounts.get(accountId) ?? new Set<Promise<void>>();
  const isFull = (accountId: string) => perAccount > 0 && of(accountId).size >= perAccount;

  const isCrowded = ({ workspaceId }: Exporter) =>
    (ofGroups.get(groupOf(workspaceId)) ?? 0) >= (workspaceId ? mostOfAWorkspace : mostOfPartners);

  return async (exporter) => {
    const { accountId } = exporter;
    const group = groupOf(exporter.workspaceId);
    const until = performance.now() + entryPatienceMs;
    // No await between the last look and the place that is taken: of those that wait one begins.
    while (isFull(accountId)) await endOfOne(of(accountId), until);
    if (underWay >= mostUnderWay || isCrowded(exporter)) {
      throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } });
    }
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const own = of(accountId);
    ofAccounts.set(accountId, own.add(ended));
    underWay += 1;
    add(ofGroups, group, 1);
    return () => {
      if (!own.delete(ended)) return;
      underWay -= 1;
      add(ofGroups, group, -1);
      if (own.size === 0) ofAccounts.delete(accountId);
      end();
    };
  };
}

const groupOf = (workspaceId = 'partners'): string => workspaceId;

function add(counts: Map<string, number>, group: string, by: 1 | -1): void {
  const count = (counts.get(group) ?? 0) + by;
  if (count > 0) counts.set(group, count);
  else counts.delete(group);
}

/** Waits for the end of an export before, until this time at most. */
async function endOfOne(own: Iterable<Promise<void>>, until: number): Promise<void> {
  const left = until - performance.now();
  if (left <= 0) refuse();
  await Promise.race([...own, pause(left)]);
}

function refuse(): never {
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: 'An export of this account is under way. Wait for its end.',
    headers: { 'Retry-After': '10' },
  });
}
