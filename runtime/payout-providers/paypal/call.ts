import type { VendorRequest } from '../../outbound/vendor-http';
import type { KeptAnswer, ProviderAccess } from '../provider';
import { readAnswer, type Read } from './answers';
import { hostOf, tokenOf } from './token';

export type Called = {
  /** The 401 of an older token, before this. */
  before?: Read;
} & (
  | /** `isRefusedAnew`: a 401 with a token that had just been made. */
    ({ kind: 'answered'; isRefusedAnew: boolean } & Read)
  /** No token came: the request itself never left, or was refused `before`. */
  | { kind: 'no_token'; why: 'refused' | 'away'; answer: KeptAnswer }
);

type Call = Pick<VendorRequest, 'method'> & { path: string; body?: string };

/** Calls PayPal with a token; one that is refused is taken anew, once. */
export async function call(access: ProviderAccess, request: Call): Promise<Called> {
  const first = await callWith(access, request, false);
  if (first.kind === 'no_token' || first.status !== 401) return first;
  const second = await callWith(access, request, true);
  if (second.kind === 'no_token') return { ...second, before: first };
  return { ...second, isRefusedAnew: second.status === 401, before: first };
}

async function callWith(
  access: ProviderAccess,
  { method, path, body }: Call,
  isFresh: boolean,
): Promise<Called> {
  const got = await tokenOf(access, isFresh);
  if (got.kind !== 'token') return { kind: 'no_token', why: got.kind, answer: got.answer };
  await access.hold();
  const answer = await access.http.request({
    method,
    url: `${hostOf(access)}${path}`,
    headers: {
      Authorization: `Bearer ${got.token.text}`,
      Accept: 'application/json',
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: access.timeoutMs,
    isOperators: access.base !== undefined,
  });
  return { kind: 'answered', isRefusedAnew: false, ...readAnswer(answer) };
}
