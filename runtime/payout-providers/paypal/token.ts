import { hash } from 'node:crypto';
import type { ConnectAnswer, KeptAnswer, ProviderAccess } from '../provider';
import { readAnswer } from './answers';
import { textOf, type Json } from './json';

/** The scope without which a token pays nobody. */
const payoutsScope = 'https://uri.paypal.com/payments/payouts';
/** A token is not used in the last minute of its time. */
const spareMs = 60_000;

interface Token {
  text: string;
  scope: string;
  /** Its end by the clock of this process that only goes on. */
  until: number;
}

/** `refused`: the credential; `away`: no answer, or not now. */
type TokenAnswer =
  | { kind: 'token'; token: Token }
  | { kind: 'refused' | 'away'; answer: KeptAnswer };

/** The process's tokens, by host and credential. */
const tokens = new Map<string, Token>();
const mostTokens = 1_000;

const hosts = {
  live: 'https://api-m.paypal.com',
  test: 'https://api-m.sandbox.paypal.com',
} as const;

export function hostOf({ base, mode }: Pick<ProviderAccess, 'base' | 'mode'>): string {
  return base ?? hosts[mode];
}

/** A token that is good for a while yet, kept or new; `isFresh` takes a new one in any case. */
export async function tokenOf(access: ProviderAccess, isFresh = false): Promise<TokenAnswer> {
  const key = hash('sha256', [hostOf(access), access.clientId, access.clientSecret].join('\n'));
  const kept = tokens.get(key);
  if (kept && !isFresh && kept.until > performance.now()) return { kind: 'token', token: kept };
  tokens.delete(key);
  const answer = await requestToken(access);
  if (answer.kind === 'token') {
    if (tokens.size >= mostTokens) tokens.clear();
    tokens.set(key, answer.token);
  }
  return answer;
}

async function requestToken(access: ProviderAccess): Promise<TokenAnswer> {
  const { http, clientId, clientSecret, timeoutMs, base } = access;
  await access.hold();
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const began = performance.now();
  const { status, json, kept } = readAnswer(
    await http.request({
      method: 'POST',
      url: `${hostOf(access)}/v1/oauth2/token`,
      headers: {
        Authorization: `Basic ${basic}`,
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
      timeoutMs,
      isOperators: base !== undefined,
    }),
  );
  const token = status === 200 && json !== null ? readToken(json, began) : undefined;
  if (token) return { kind: 'token', token };
  const isRefused = status === 400 || status === 401 || status === 403;
  return { kind: isRefused ? 'refused' : 'away', answer: kept };
}

function readToken(json: Json, began: number): Token | undefined {
  const text = textOf(json['access_token']);
  if (text === null) return undefined;
  const seconds = Number(json['expires_in']);
  const livesMs = Number.isFinite(seconds) ? seconds * 1_000 : 0;
  return { text, scope: textOf(json['scope']) ?? '', until: began + livesMs - spareMs };
}

function withoutToken(kind: 'refused' | 'away'): ConnectAnswer {
  return kind === 'away'
    ? { kind: 'away', message: 'PayPal cannot be reached just now. Try again shortly.' }
    : {
        kind: 'rejected',
        message: 'PayPal does not accept this client ID and secret, or they are of the other mode.',
      };
}

/** Tries a credential. The message of a rejection names the permission that it lacks. */
export async function connect(access: ProviderAccess): Promise<ConnectAnswer> {
  const answer = await tokenOf(access, true);
  if (answer.kind !== 'token') return withoutToken(answer.kind);
  if (answer.token.scope.split(/\s+/).includes(payoutsScope)) return { kind: 'good' };
  return {
    kind: 'rejected',
    message: `PayPal does not let this app pay out: it needs Payouts, the scope ${payoutsScope}.`,
  };
}
