import { erasedText } from './erasure';
import { freelyNames, namesForCertain } from './identity';

/** Fields that tell who somebody is or how to reach them. */
export const contact = /(^|_)(name|email|email_address|phone|ip|address|tax_ids?)$|^avatar_url$/;
/** Fields, with all below them, in which merchants and buyers write freely. */
export const free =
  /(^|_)(description|footer|memo|notes?|message|comment)$|^(reason|metadata|custom_fields|custom_text|custom_data|custom_field_data|evidence)$/;

/** What names a thing: a word in it is no person, even where people write freely. */
const technical = /(^|_)(ids?|code)$/;

/** What signals are read by, also where a replay needs it. */
const signal = /^aff_/;

/** What is left of an event that was processed: all that it says of money is in other tables. */
export function headOfEvent(event: Record<string, unknown>): Record<string, unknown> {
  const { id, object, type, api_version, created, livemode } = event;
  const { event_id, event_type, occurred_at, timestamp } = event;
  const ofFurtherBillers = { event_id, event_type, occurred_at, timestamp };
  return { id, object, type, api_version, created, livemode, ...ofFurtherBillers, erased: true };
}

/**
 * A raw event of a buyer's own payment without the buyer: contact data become null, free texts a
 * placeholder, and their ids what `replacements` says. Amounts and other ids stay for a replay.
 */
export function eventWithoutBuyer(
  value: unknown,
  replacements: ReadonlyMap<string, string>,
  isFree = false,
): unknown {
  if (typeof value === 'string') return replacements.get(value) ?? (isFree ? erasedText : value);
  if (Array.isArray(value)) {
    return value.map((item) => eventWithoutBuyer(item, replacements, isFree));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => {
      if (contact.test(field)) return [field, null];
      const isOpen = !signal.test(field) && !technical.test(field) && (isFree || free.test(field));
      return [field, eventWithoutBuyer(item, replacements, isOpen)];
    }),
  );
}

interface Where {
  identifying: readonly string[];
  /** The record around it is the person's. */
  isTheirs: boolean;
  isFree: boolean;
}

/**
 * A raw event without the person: the values that hold them are replaced, and the contact data of a
 * record that is theirs by an address or two names goes as a whole. All else stays, whatever word a field or an
 * enumeration is, so that a replay finds the same ids, amounts and signals.
 */
export function eventWithoutPerson(event: unknown, identifying: readonly string[]): unknown {
  return clean(event, { identifying, isTheirs: false, isFree: false });
}

function clean(value: unknown, where: Where): unknown {
  if (typeof value === 'string') return isCopy(value, where) ? erasedText : value;
  if (Array.isArray(value)) return value.map((item) => clean(item, where));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  const isTheirs = where.isTheirs || isRecordOf(fields, where.identifying);
  return Object.fromEntries(
    fields.map(([field, item]) => [field, cleanField(field, item, { ...where, isTheirs })]),
  );
}

/**
 * Whether contact data is the person's: an address tells, or two of their names. One full name alone
 * is another buyer's as well.
 */
function isRecordOf(fields: readonly [string, unknown][], identifying: readonly string[]): boolean {
  const texts = fields.flatMap(([field, item]) =>
    contact.test(field) && typeof item === 'string' ? [item] : [],
  );
  const marks = identifying.filter((one) => texts.some((text) => namesForCertain(text, [one])));
  return marks.length > 1 || marks.some((one) => one.includes('@'));
}

/** Contact data becomes null: a placeholder would be one and the same buyer to the fraud rules. */
function cleanField(field: string, item: unknown, where: Where): unknown {
  if (!contact.test(field)) {
    const isFree = !technical.test(field) && (where.isFree || free.test(field));
    return clean(item, { ...where, isFree });
  }
  if (where.isTheirs) return null;
  if (typeof item !== 'string') return clean(item, { ...where, isFree: true });
  return freelyNames(item, where.identifying) ? null : item;
}

function isCopy(value: string, { identifying, isFree }: Where): boolean {
  return isFree ? freelyNames(value, identifying) : namesForCertain(value, identifying);
}
