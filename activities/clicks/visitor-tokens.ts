import { timingSafeEqual } from 'node:crypto';
import { isUuid, newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import type { Vault } from '../../runtime/crypto/vault';

export interface Visitor {
  id: string;
  /** What the browser keeps: `<id>.<proof>`. */
  token: string;
  /** Came with a token of ours. */
  isReturning: boolean;
}

const idLength = 36;

/**
 * How a browser names itself before its first answer: 128 bits of its own. It stands for one visitor
 * of this workspace and mode, so a click that is sent again for want of an answer is counted once.
 */
const ownName = /^new(\.\d{1,10}){4}$/;

/** A new visitor: never merged with another by address or browser. */
export function newVisitor(vault: Pick<Vault, 'derive'>, scope: Scope): Visitor {
  const id = newId();
  return { id, token: tokenOf(vault, scope, id), isReturning: false };
}

/**
 * The visitor of a token that this service issued for the same workspace and mode, or of the name that
 * a browser gave itself; undefined for any other text.
 */
export function readVisitor(
  vault: Pick<Vault, 'derive'>,
  scope: Scope,
  token: string | null,
): Visitor | undefined {
  if (token === null) return undefined;
  if (ownName.test(token)) return visitorNamed(vault, scope, token);

  const id = token.slice(0, idLength);
  if (!isUuid(id)) return undefined;
  const genuine = tokenOf(vault, scope, id);
  return isSame(token, genuine) ? { id, token, isReturning: true } : undefined;
}

function visitorNamed(vault: Pick<Vault, 'derive'>, scope: Scope, name: string): Visitor {
  const { workspaceId, mode } = scope;
  const digest = Buffer.from(vault.derive('visitor name', workspaceId, mode, name), 'base64url');
  const hex = digest.toString('hex');
  const tail = `${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${tail}`;
  return { id, token: tokenOf(vault, scope, id), isReturning: true };
}

function tokenOf(vault: Pick<Vault, 'derive'>, scope: Scope, id: string): string {
  return `${id}.${vault.derive('visitor', scope.workspaceId, scope.mode, id)}`;
}

function isSame(given: string, genuine: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === genuine.length && timingSafeEqual(bytes, Buffer.from(genuine));
}
