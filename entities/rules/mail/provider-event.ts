import { maxEmailLength } from '../values/email';
import type { FieldProblem } from '../values/field-problem';

type SuppressionCause = 'bounced' | 'complained';

/** An event of the mail provider, as far as it concerns us. */
export interface ProviderNotice {
  type: string;
  /** Addresses that must not be written to any more, and why. */
  suppress: { addresses: string[]; reason: SuppressionCause } | undefined;
}

/**
 * Reads `{type, created_at, data: {email_id, to, bounce?}}` (docs/reference/notifications.md,
 * Mail). A bounce called permanent, or reported without detail, is a hard one; types that we do not
 * know have no effect.
 */
export function readProviderEvent(body: unknown): ProviderNotice | FieldProblem {
  if (!isRecord(body)) return { field: 'body', message: 'must be a JSON object' };
  const { type, data } = body;
  if (typeof type !== 'string' || type === '') return { field: 'type', message: 'must be text' };
  if (type !== 'email.bounced' && type !== 'email.complained') return { type, suppress: undefined };

  if (!isRecord(data)) return { field: 'data', message: 'must be an object' };
  const { bounce } = data;
  const to = readAddresses(data['to']);
  if (!to) {
    return { field: 'data.to', message: 'must be a list of e-mail addresses' };
  }
  if (type === 'email.complained') {
    return { type, suppress: { addresses: to, reason: 'complained' } };
  }
  return readBounce(to, bounce);
}

function readBounce(to: string[], bounce: unknown): ProviderNotice | FieldProblem {
  if (bounce !== undefined && bounce !== null && !isBounce(bounce)) {
    return { field: 'data.bounce', message: 'must be an object with a type' };
  }
  const isHard = !isBounce(bounce) || bounce.type === 'Permanent';
  const suppress = isHard ? ({ addresses: to, reason: 'bounced' } as const) : undefined;
  return { type: 'email.bounced', suppress };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBounce(value: unknown): value is { type: string } {
  return isRecord(value) && typeof value['type'] === 'string';
}

/** The addresses of a list, without display names; undefined when one of them is none. */
function readAddresses(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const addresses = value.map((item: unknown) =>
    typeof item === 'string' ? withoutName(item) : item,
  );
  return addresses.every(isAddress) ? addresses : undefined;
}

/** `Pat <pat@example.com>` is pat@example.com. */
function withoutName(text: string): string {
  const start = text.lastIndexOf('<');
  const isNamed = start >= 0 && text.trimEnd().endsWith('>');
  return isNamed
    ? text
        .trimEnd()
        .slice(start + 1, -1)
        .trim()
    : text.trim();
}

function isAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= maxEmailLength &&
    value.includes('@') &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}
