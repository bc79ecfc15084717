import { systemActor, type Actor } from '../../entities/rules/values/actor';
import type { Scope } from '../../entities/rules/values/mode';
import { activityRequest } from './activity-request';

/** Who asked for a change, in which request, and when. */
export interface Cause {
  actor: Actor;
  requestId?: string | undefined;
  now: Date;
}

/**
 * The second argument of every command on a workspace's data, after the database and before the
 * command's own values: the cause, and the workspace and mode that the command may touch.
 * Commands on an account, which belongs to no mode, take a Cause.
 */
export interface CommandContext extends Cause {
  scope: Scope;
}

/** The same for what a workspace has once for both modes: members, keys, its settings. */
export interface WorkspaceContext extends Cause {
  scope: Pick<Scope, 'workspaceId'>;
}

/** The cause of what the service does by itself; within an activity it has a request id of its own. */
export function systemCause(now: Date): Cause {
  return { actor: systemActor, requestId: activityRequest()?.requestId, now };
}

/** The cause alone of a context or command that carries more. */
export function causeOf({ actor, requestId, now }: Cause): Cause {
  return { actor, requestId, now };
}

/** The context of a command alone, of a request that carries more. */
export function commandContextOf(request: CommandContext): CommandContext {
  return { ...causeOf(request), scope: request.scope };
}
