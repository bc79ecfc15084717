import { isGrpcServiceError, type Client } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { Work } from '../../activities/journal/outbox-claims';
import { inParallel } from '../../runtime/load/in-parallel';
import type { Deps } from '../../runtime/process/deps';
import type { ClaimReport } from './process-claim';

/** One refusal of this kind may be about one busy workflow; this many are about the server. */
const stopAfter = 3;

/** gRPC codes. */
const status = {
  CANCELLED: 1,
  DEADLINE_EXCEEDED: 4,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** These say nothing of the row. */
const passing = new Set<number>([
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.RESOURCE_EXHAUSTED,
  status.UNAVAILABLE,
]);
/** No call of this process can succeed until an operator has changed something. */
const misconfigured = new Set<number>([
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
  status.UNIMPLEMENTED,
]);

type Failure = 'row' | 'passing' | 'away';

/** Whether a failed call says something of its row, or only of Temporal. */
function kindOfFailure(error: unknown): Failure {
  if (error instanceof NamespaceNotFoundError) return 'away';
  const code = grpcCode(error);
  if (code === undefined) return isUnconnected(error) ? 'passing' : 'row';
  if (misconfigured.has(code)) return 'away';
  return passing.has(code) ? 'passing' : 'row';
}

/** The channel's own errors carry no code. */
function isUnconnected(error: unknown): boolean {
  return error instanceof Error && /failed to connect|channel.*(closed|shut)/i.test(error.message);
}

function grpcCode(error: unknown): number | undefined {
  if (isGrpcServiceError(error)) return error.code;
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) ? cause.code : undefined;
}

export interface ParallelCalls {
  call(client: Client, work: Work): Promise<void>;
  report: ClaimReport;
  /** Calls at the same time. */
  parallel?: number;
  /** Awaited before each call, whose deadline begins after it. */
  turn?: (work: Work) => Promise<void> | undefined;
}

/**
 * Calls Temporal for each row, some at a time; gives the ids of those that succeeded. A refusal
 * counts against its own row; only when Temporal is away the rest is left for later.
 */
export async function callForEach(
  deps: Deps,
  work: readonly Work[],
  { call, report, turn, parallel = 32 }: ParallelCalls,
): Promise<number[]> {
  const done: number[] = [];
  let inRow = 0;
  let isAway = false;
  const fail = (item: Work, error: unknown): void => {
    const kind = kindOfFailure(error);
    if (kind === 'row') report.refused(item.id, codeOf(error));
    else report.defer(item.id);
    if (!isAway)
      deps.log.warn(
        { err: error, kind, requestId: item.requestId },
        'Temporal did not take the work',
      );
    inRow += kind === 'row' ? 0 : 1;
    isAway ||= kind === 'away' || inRow >= stopAfter;
  };
  await inParallel(work, { atOnce: parallel, isEnough: () => isAway }, async (item) => {
    await turn?.(item);
    try {
      await deps.temporal.within(10_000, (client) => call(client, item));
      done.push(item.id);
      inRow = 0;
    } catch (error) {
      fail(item, error);
    }
  });
  if (isAway) report.away();
  return done;
}

function codeOf(error: unknown): string {
  const code = grpcCode(error);
  if (code !== undefined) return `GRPC_${code}`;
  return error instanceof Error ? error.name : 'UNKNOWN';
}
