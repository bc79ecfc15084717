import type { Actor } from '../../entities/rules/values/actor';

/** Who asked for a change, in which request, and when. */
export interface Cause {
  actor: Actor;
  requestId?: string | undefined;
  now: Date;
}

/** Only what makes the cause, for a context or command that carries more. */
export function causeOf({ actor, requestId, now }: Cause): Cause {
  return { actor, requestId, now };
}
