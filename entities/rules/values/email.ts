import { withoutUnseenEnds } from './identifier';

export const maxEmailLength = 320;

/** Local parts that real providers give out: with dots doubled or at their end, too; and quoted ones. */
const plainLocal = /^(?!\.)[^\s@"(),:;<>[\\\]\p{C}]+$/u;
const quotedLocal = /^"(?:[^"\\\p{C}]|\\[\x20-\x7e])+"$/u;
const asciiDomain =
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * An address as it is kept, compared and written to: without white space around it, in lower case,
 * composed (NFC), its domain by punycode. Undefined for what is no address.
 */
export function emailOf(text: string): string | undefined {
  if (text.length > 2 * maxEmailLength) return undefined;
  const composed = composedOf(text);
  const at = composed.lastIndexOf('@');
  const local = composed.slice(0, Math.max(0, at));
  const domain = domainOf(composed.slice(at + 1));
  if (domain === undefined || !(plainLocal.test(local) || quotedLocal.test(local))) {
    return undefined;
  }
  const email = `${local}@${domain}`;
  return email.length <= maxEmailLength ? email : undefined;
}

/** The form in which addresses are compared, of whatever was sent as one. */
export function normaliseEmail(text: string): string {
  return emailOf(text) ?? composedOf(text);
}

function composedOf(text: string): string {
  return withoutUnseenEnds(text).normalize('NFC').toLowerCase().normalize('NFC');
}

/** The domain in punycode; what a URL would read as something else than a name is none. */
function domainOf(text: string): string | undefined {
  if (isDomain(text)) return text;
  const isForeign = /[^\p{ASCII}]/u.test(text) && /^[\p{L}\p{M}\p{N}.\u3002\uff0e-]+$/u.test(text);
  if (!isForeign || !URL.canParse(`http://${text}`)) return undefined;
  const { hostname } = new URL(`http://${text}`);
  return isDomain(hostname) ? hostname : undefined;
}

/** Whether a text is a domain, in letters as the name service knows them; its last label is no number, as an address's is. */
function isDomain(text: string): boolean {
  return text.length <= 253 && asciiDomain.test(text) && !/\.\d+$/.test(text);
}
