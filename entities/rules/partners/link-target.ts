export const maxUrlLength = 2_048;

/**
 * An absolute http or https URL without credentials, white space or backslashes, or undefined.
 * The URL parser alone is too kind: it drops tabs and line ends and reads `https:shop.example`.
 */
export function parseWebUrl(text: string): URL | undefined {
  if (text.length > maxUrlLength || !/^https?:\/\/[^/]/i.test(text)) return undefined;
  if (forbidden.test(text)) return undefined;

  if (!URL.canParse(text)) return undefined;

  const url = new URL(text);
  // What browsers send, escaped, is what has to fit into a request line or a QR code.
  if (url.href.length > maxUrlLength || url.username !== '' || url.password !== '')
    return undefined;
  return url;
}

/** Whether a link may lead there: the programme's own host, or a subdomain of it; ports do not matter. */
export function isTargetAllowed(target: URL, website: URL): boolean {
  const targetHost = hostOf(target);
  const websiteHost = hostOf(website);
  return targetHost === websiteHost || targetHost.endsWith(`.${websiteHost}`);
}

/**
 * The referral URL of a target: its text with `ref=<token>` as the last query parameter. The rest of
 * the query and the fragment stay as they were written; a `ref` that was there gives way.
 */
export function referralUrl(target: string, token: string): string {
  const [beforeFragment, fragment] = splitAt(target, '#');
  const [base, query] = splitAt(beforeFragment, '?');
  const kept = query ? query.split('&').filter((part) => parameterName(part) !== 'ref') : [];
  const parameters = [...kept, `ref=${encodeURIComponent(token)}`].join('&');
  return `${base}?${parameters}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Spaces, control characters and backslashes never belong in a URL that people will click. */
const forbidden = /[\p{Cc} \u00a0\\]/u;

function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

function splitAt(text: string, separator: string): [string, string | undefined] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function parameterName(part: string): string {
  const [name] = splitAt(part, '=');
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // A broken escape cannot be the name that a browser reads as `ref`.
    return name;
  }
}
