import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after a time, or at once when the signal ends what waits. */
export async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
