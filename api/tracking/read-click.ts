import type { KeyPrincipal, ManagementKeyPrincipal } from '../../activities/credentials/principals';
import type { AskedKey } from '../../activities/credentials/api-key-cache';
import { resolvePastedReferral } from '../../activities/partners/referral-tokens';
import { AppError, validationError } from '../../entities/errors';
import { withoutUnseenEnds } from '../../entities/rules/values/identifier';
import { parseKey, type KeyKind } from '../../entities/rules/values/mode';
import {
  bearerToken,
  readMode,
  refuseCredential,
  refuseGuesser,
  requireRole,
} from '../http/checks/authorize';
import type { EndpointContext } from '../http/contract/contract';
import { publicOrServerKey } from '../http/contract/credential';
import { isStorable, unstorable } from '../http/contract/body/body';
import { toInstance } from '../http/contract/validate';
import { isToldAddress } from '../http/contract/validators';
import { isObject, type ClickMessage } from './click-message';
import { ClickBody } from './clicks.dto';

/** The keys that clicks are recorded with, and the role of one that manages. */
export const clickAuth = publicOrServerKey('member');

/** Kinds of keys, as bearers, with which a server reports clicks of visitors that it names. */
const serverKinds: readonly KeyKind[] = ['secret', 'management'];

export type ClickContext = EndpointContext<Record<never, never>, unknown, unknown, KeyPrincipal>;

/**
 * The key that a click comes with, at once where it is known already; 401 INVALID_PUBLIC_KEY, or
 * what is wrong with a body that may have held one.
 */
export function readKey(
  ctx: ClickContext,
  message: ClickMessage,
): KeyPrincipal | Promise<KeyPrincipal> {
  const asked = credentialOf(ctx, message);
  const known = asked && ctx.services.credentials.keys.known(asked, ctx.now);
  return known ?? authenticate(ctx, message, asked);
}

/**
 * The fields, or why they are refused once the key's limit was counted: their form, and for a managing
 * key its mode, role and programme.
 */
export function readFields(
  ctx: ClickContext,
  message: ClickMessage,
  key: KeyPrincipal,
): ClickBody | AppError | Promise<ClickBody | AppError> {
  return key.kind === 'management_key'
    ? readManaged(ctx, message, key)
    : readFieldsOf(message, key);
}

/** The bearer when there is one, whatever it is; else the body's `key`. */
async function authenticate(
  ctx: ClickContext,
  message: ClickMessage,
  asked: AskedKey | undefined,
): Promise<KeyPrincipal> {
  const hasHeader = ctx.req.headers.authorization !== undefined;
  // A body that could not be read may well have held a key: say what is wrong with it.
  if (!hasHeader) refuseUnread(message);

  // A guess costs a look-up, so an address that keeps guessing is refused before it. A key that is
  // known passes: many visitors share an address, and one shop's old snippet must not cost others.
  const { keys } = ctx.services.credentials;
  if (!asked || !keys.has(asked.key)) await refuseGuesser(ctx);
  const key = asked && (await keys.resolve(asked, ctx.now));
  if (!key) return refuseCredential(ctx, 'INVALID_PUBLIC_KEY');

  return key;
}

/** A key of a kind that may be where it stands; a server's tells who the visitor is. */
function credentialOf(ctx: ClickContext, { value }: ClickMessage): AskedKey | undefined {
  const isBearer = ctx.req.headers.authorization !== undefined;
  const key = isBearer ? bearerToken(ctx) : keyOf(value);
  const kind = key === undefined ? undefined : parseKey(key)?.kind;
  if (key === undefined || kind === undefined) return undefined;
  const isTaken =
    kind === 'public' || (isBearer && serverKinds.includes(kind) && namesVisitor(value));
  return isTaken ? { key, kind } : undefined;
}

export function isOfBrowser(key: KeyPrincipal): boolean {
  return key.kind === 'public_key';
}

function refuseUnread({ value, refusal }: ClickMessage): void {
  const isUnread = refusal?.status === 413 || refusal?.status === 415;
  if (value === undefined && isUnread) throw refusal;
}

function keyOf(body: unknown): string | undefined {
  const key = isObject(body) ? body['key'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

function readFieldsOf({ value, refusal }: ClickMessage, key: KeyPrincipal): ClickBody | AppError {
  if (refusal) return refusal;
  try {
    return readClick(value as object, { fromServer: !isOfBrowser(key) });
  } catch (error) {
    return asRefusal(error);
  }
}

async function readManaged(
  ctx: ClickContext,
  message: ClickMessage,
  key: ManagementKeyPrincipal,
): Promise<ClickBody | AppError> {
  try {
    readMode(ctx, clickAuth, key);
    requireRole(clickAuth, key);
    const click = readFieldsOf(message, key);
    if (!(click instanceof AppError)) await requireOwnProgram(ctx, key, click);
    return click;
  } catch (error) {
    return asRefusal(error);
  }
}

/**
 * FORBIDDEN for a ref of another programme than the one that the key is bound to. An unknown ref passes:
 * no click is recorded for it.
 */
async function requireOwnProgram(
  ctx: ClickContext,
  { workspaceId, mode, programId }: ManagementKeyPrincipal,
  { ref }: Pick<ClickBody, 'ref'>,
): Promise<void> {
  if (programId === null) return;
  const found = await resolvePastedReferral(ctx.deps.db.manager, { workspaceId, mode }, ref);
  if (found && found.programId !== programId) throw new AppError('FORBIDDEN');
}

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/**
 * The fields of a readable message; VALIDATION_ERROR as of any body, save that url, referrer and
 * visitor_token may hold what no text may. What says who the visitor is counts only from a server: in a
 * browser's message it is an unknown field.
 */
export function readClick(value: object, { fromServer }: { fromServer: boolean }): ClickBody {
  const body = value as Fields;
  if (isPlainlyRight(body, fromServer)) return value as ClickBody;
  const { ref, user_agent: agent, ip, ...others } = body;
  if (typeof ref === 'string' && !isStorable(ref)) throw validationError('ref', unstorable);
  const known = { ref, ...others, ...(fromServer && { user_agent: agent, ip }) };
  return toInstance(ClickBody, known, { unknown: 'ignore' });
}

type Fields = Record<keyof ClickBody, unknown>;

const texts = ['key', 'url', 'referrer', 'visitor_token'] as const;

/**
 * A quick look whether a body is right, several times faster than a walk over declared fields,
 * which says what is wrong; for the busiest endpoint.
 */
function isPlainlyRight(body: Fields, fromServer: boolean): boolean {
  const { ref, user_agent: agent, ip } = body;
  if (typeof ref !== 'string' || withoutUnseenEnds(ref) === '' || !isStorable(ref)) return false;
  if (!texts.every((name) => isToldText(body[name]))) return false;
  return !fromServer || (isToldText(agent) && isToldAddress(ip));
}

function isToldText(value: unknown): boolean {
  return typeof (value ?? '') === 'string';
}

/** Whether a message says whose click it is, as only a server has to. */
export function namesVisitor(value: unknown): boolean {
  return isObject(value) && Boolean(value['user_agent'] || value['ip']);
}
