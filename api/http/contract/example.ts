import { createHash } from 'node:crypto';
import { fieldsOf, type ClassOf, type KnownField, type Schema } from './validators';

const aDay = '2026-01-31T09:30:00.000Z';
const aMonthLater = '2026-03-02T09:30:00.000Z';

/** What examples tell of: one shop, its partner Anna and a sale of hers. Values of fields by name. */
const story: Readonly<Record<string, unknown>> = {
  amountCents: 980,
  attempts: 1,
  attributed: true,
  attributionWindowDays: 30,
  autoApprove: true,
  basis: 'gross',
  boundAt: aDay,
  clicks: 120,
  conversionAmountCents: 4_900,
  conversionId: idOf('conversionId'),
  conversionRate: 0.04,
  conversions: 7,
  currency: 'usd',
  customerId: 'user_42',
  customerMonth: 0,
  description: 'Tea, by post.',
  durationMs: 84,
  email: 'anna@partner.example',
  errorMessage: 'The receiver answered 500.',
  expiresAt: aMonthLater,
  explanation: 'Credited to the partner of the click.',
  externalTransactionId: 'order-1042',
  groupId: idOf('groupId'),
  groupName: 'Default',
  holdDays: 30,
  holdUntil: aMonthLater,
  httpStatusCode: 500,
  inApp: true,
  lastEventAt: aDay,
  limit: 20,
  matchedBy: 'click',
  mode: 'live',
  ok: true,
  page: 1,
  participantId: idOf('participantId'),
  participantStatus: 'approved',
  partnerEmail: 'anna@partner.example',
  partnerName: 'Anna Partner',
  paymentNumber: 1,
  processedAt: aDay,
  programId: idOf('programId'),
  programName: 'Tea shop',
  promoCodes: ['SUMMER24'],
  rateBps: 2_000,
  referralCode: 'anna',
  total: 1,
  userAgent: 'Mozilla/5.0',
  websiteUrl: 'https://shop.example',
  windowEndsAt: aMonthLater,
  workspaceName: 'Acme Shop',
};

/** An answer by the examples of its fields, with what is told differently. */
export function exampleOf<T extends object>(type: new () => T, changes: Partial<T> = {}): T {
  const fields = [...fieldsOf(type)].map(([name, field]) => [
    name,
    exampleOfField(name === 'id' ? `${nounOf(type)}Id` : name, field),
  ]);
  const shown = fields.filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(shown), ...changes } as T;
}

function exampleOfField(name: string, field: KnownField): unknown {
  const { isNullable, isRequired, nested, tests } = field;
  const schema = field.schema();
  if (schema['example'] !== undefined) return schema['example'];
  if (!isRequired) return undefined;
  const told = story[camelCase(name)];
  if (told !== undefined && tests.every((test) => test(told))) return told;
  const isList = schema['type'] === 'array';
  if (nested) return isList ? [exampleOf(nested())] : exampleOf(nested());
  return isNullable ? null : plainExample(name, schema);
}

function plainExample(name: string, schema: Schema): unknown {
  const { type, format, enum: values, minimum } = schema;
  if (Array.isArray(values)) return values[0];
  if (format === 'uuid') return idOf(name);
  if (format === 'date-time') return aDay;
  const plain: Record<string, unknown> = {
    integer: minimum ?? 0,
    number: 0,
    boolean: false,
    array: [],
    object: {},
  };
  return plain[String(type)];
}

/** The same for each field of a name, so that the parts of an example refer to one another. */
function idOf(name: string): string {
  const digits = createHash('sha256').update(camelCase(name)).digest('hex').slice(0, 12);
  return `0198c0de-0000-7000-8000-${digits}`;
}

/** A `PartnerCommissionDetailDto` is the commission that others name by `commissionId`. */
function nounOf({ name }: ClassOf): string {
  const parts = /^(?:Created|Event|Partner|Public|Sent)?(\w+?)(?:Detail|WithSecret)?Dto$/.exec(
    name,
  );
  const noun = parts?.[1] ?? name;
  return noun.charAt(0).toLowerCase() + noun.slice(1);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
