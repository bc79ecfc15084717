import { AsyncLocalStorage } from 'node:async_hooks';

interface Trail {
  requestId: string;
}

const trails = new AsyncLocalStorage<Trail>();

/** Whatever is logged within this work names the request that it follows from, if it follows from one. */
export function inTrailOf<T>(requestId: string | null, work: () => Promise<T>): Promise<T> {
  return requestId === null ? work() : trails.run({ requestId }, work);
}

/** The trail for every line of the log; one that names a request itself keeps that. */
export function trailOfNow(): Trail | Record<string, never> {
  return trails.getStore() ?? {};
}
