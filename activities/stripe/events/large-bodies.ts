import { createSpareTurns } from '../../runtime/batching/spare-turns';

/** Below this, reading, parsing or sealing a body takes less than a millisecond. */
const largeBytes = 65_536;
const turn = createSpareTurns();

/**
 * Between two steps over a body of this length: each takes some milliseconds of a large one, and
 * whatever else the process has to do goes on in between.
 */
export async function largeBodyTurn(length: number): Promise<void> {
  if (length > largeBytes) await turn();
}
