import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Credentials } from '../../../activities/credentials/principals';
import type { PasswordHasher } from '../../../runtime/crypto/passwords';
import type { KeyedSemaphore } from '../../../runtime/load/keyed-semaphore';
import type { Deps } from '../../../runtime/process/deps';
import type { Db } from '../../../entities/database/sql';
import type { Actor } from '../../../entities/rules/values/actor';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Limiter } from './limiter';

interface ClientAddress {
  ip: string;
  scheme: 'http' | 'https';
}

export type AddressReader = (request: IncomingMessage) => ClientAddress;

/**
 * What requests share and no process but the API has: here what the checks use. `api/services.ts`
 * adds to it what the handlers of each domain use, and builds it all once.
 */
export interface ApiServices {
  limiter: Limiter;
  addressOf: AddressReader;
  credentials: Credentials;
  /** Places of requests at the database. */
  places: KeyedSemaphore;
  /** Places of files of megabytes in memory. */
  uploads: KeyedSemaphore;
  passwords: PasswordHasher;
}

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
  /** The holder of the credential; an endpoint's contract says of what kind. */
  principal: unknown;
  scope: unknown;
  mode: Mode;
  actor: Actor;
  input: unknown;
  /** The body before it was validated: what an Idempotency-Key stands for. */
  bodyAsSent: unknown;
  rawBody: Buffer;
  /** The body of any content type as text, unpacked; VALIDATION_ERROR for what is no UTF-8. */
  readText(): Promise<string>;
  /**
   * All database work of the request goes through this, by places of its caller: it may be an open
   * transaction. `deps.db` is for what requests share.
   */
  db: Db;
}
