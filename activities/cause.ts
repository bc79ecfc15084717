import type { Actor } from '../entities/rules/actor';

/** Who asked for a change, in which request, and when. A request's context has this shape. */
export interface Cause {
  actor: Actor;
  requestId?: string | undefined;
  now: Date;
}
