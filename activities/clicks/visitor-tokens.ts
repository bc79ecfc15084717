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

/** A new visitor: never merged with another by address or browser. */
export function newVisitor(vault: Pick<Vault, 'derive'>, scope: Scope): Visitor {
  const id = newId();
  return { id, token: tokenOf(vault, scope, id), isReturning: false };
}

/** The visitor of a token that this service issued for the same workspace and mode. */
export function readVisitor(
  vault: Pick<Vault, 'derive'>,
  scope: Scope,
  token: string | null,
): Visitor | undefined {
  if (token === null) return undefined;

  const id = token.slice(0, idLength);
  if (!isUuid(id)) return undefined;
  const genuine = tokenOf(vault, scope, id);
  return isSame(token, genuine) ? { id, token, isReturning: true } : undefined;
}

function tokenOf(vault: Pick<Vault, 'derive'>, scope: Scope, id: string): string {
  return `${id}.${vault.derive('visitor', scope.workspaceId, scope.mode, id)}`;
}

function isSame(given: string, genuine: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === genuine.length && timingSafeEqual(bytes, Buffer.from(genuine));
}
