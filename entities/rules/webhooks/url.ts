import type { Mode } from '../values/mode';
import { maxUrlLength } from '../partners/link-target';

export type WebhookUrlResult = { ok: true; url: URL } | { ok: false; message: string };

/**
 * The form of a receiver's URL (docs/reference/webhooks.md, URL): absolute http or https, no
 * userinfo, no character that two parsers could read differently, and a port from 80, 443 and those
 * above 1023. Whether https is needed and whether the address is public are later questions.
 */
export function parseWebhookUrl(text: string): WebhookUrlResult {
  if (text.length > maxUrlLength) {
    return refused(`must be at most ${maxUrlLength} characters`);
  }
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) {
    return refused('must not contain white space, backslashes or control characters');
  }
  // The URL parser would also take `https:host` and `https:///host`; receivers' tools differ there.
  if (!/^https?:\/\/[^/?#]/i.test(text)) return refused('must be an absolute http or https URL');

  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.hostname === '') return refused('must be an absolute http or https URL');
  if (hasUserinfo(text)) return refused('must not contain a user name or password');
  if (!isAllowedPort(url.port)) return refused('must use port 80, 443 or one above 1023');
  return { ok: true, url };
}

/** Live endpoints take https only (docs/reference/webhooks.md, URL). */
export function mustBeHttps(mode: Mode, url: URL): boolean {
  return mode === 'live' && url.protocol !== 'https:';
}

/** The host without the brackets of an IPv6 literal. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Looks at the text: `https://@host` has userinfo too, though the parsed parts are empty. */
function hasUserinfo(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}

/** An empty port is the scheme's own. */
export function isAllowedPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) > 1_023;
}

function refused(message: string): WebhookUrlResult {
  return { ok: false, message };
}
