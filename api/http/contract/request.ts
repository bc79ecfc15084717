import type { Context } from 'koa';
import type { Deps } from '../../../runtime/process/deps';
import type { Db } from '../../../entities/database/sql';
import type { Actor } from '../../../entities/rules/values/actor';
import type { Mode } from '../../../entities/rules/values/mode';
import type { ApiServices } from '../services';

/**
 * What a request carries beside Koa's own context, on its way from the middleware around all
 * endpoints (id, time, address) through the checks (credential, body) to its handler.
 */
export interface RequestContext extends Context {
  deps: Deps;
  services: ApiServices;
  requestId: string;
  now: Date;
  clientIp: string;
  /** Whose credential it is; an endpoint's contract says of what kind. */
  principal: unknown;
  scope: unknown;
  mode: Mode;
  actor: Actor;
  input: unknown;
  /** The body before it was validated: what an Idempotency-Key stands for. */
  bodyAsSent: unknown;
  rawBody: Buffer;
  /** All database work of the request goes through this: it may be an open transaction. */
  db: Db;
}
