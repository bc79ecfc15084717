import { dayMs } from '../values/duration';

/** When a workspace closes that somebody asks to close now: until then an owner may take it back. */
export function closesAt(now: Date): Date {
  return new Date(now.getTime() + 30 * dayMs);
}

/** What a closed workspace is called. */
export const closedName = 'Closed workspace';
