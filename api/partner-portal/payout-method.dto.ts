import { isISO31661Alpha2 } from 'class-validator';
import { isValidBIC, isValidIBAN } from 'ibantools';
import type { FieldProblem } from '../../entities/errors';
import {
  payoutMethodTypes,
  shownMethod,
  type PayoutMethod,
  type PayoutMethodType,
} from '../../entities/rules/payouts/method';
import { maxTypedPassword, typedCode } from '../auth/auth.dto';
import { AnyText, Email, Name, Nested, OneOf, Text } from '../http/contract/validators';

const optional = { optional: true, trim: true } as const;
/** Letters and digits of any script, and what banks write between them. */
const accountPattern = /^[\p{L}\p{N} ./-]+$/u;

export class PayoutMethodInput {
  @OneOf(payoutMethodTypes, {
    description:
      'paypal: email. wise: email, name. bank: holder, country and iban, or accountNumber and ' +
      'routingNumber, perhaps bic. other: text. No other fields.',
  })
  type!: PayoutMethodType;

  @Email({ optional: true, example: 'pat@example.com' })
  email?: string;

  @Name({ optional: true })
  name?: string;

  @Name({ optional: true })
  holder?: string;

  @Text({ ...optional, min: 2, max: 2, description: "ISO 3166, two letters; the IBAN's own." })
  country?: string;

  @Text({ ...optional, min: 5, max: 64, description: 'Spaces are dropped; checked.' })
  iban?: string;

  @Text({ ...optional, min: 1, max: 34, pattern: accountPattern })
  accountNumber?: string;

  @Text({
    ...optional,
    min: 1,
    max: 34,
    pattern: accountPattern,
    description: 'Checked where it is of the United States.',
  })
  routingNumber?: string;

  @Text({ ...optional, min: 8, max: 11 })
  bic?: string;

  @Text({ ...optional, min: 1, max: 500 })
  text?: string;
}

export class DeletePayoutMethodBody {
  @Text({ max: maxTypedPassword })
  password!: string;

  @Text({
    ...typedCode,
    optional: true,
    description: 'Where you have a second factor: six digits of the app, or a recovery code.',
    example: '123456',
  })
  code?: string;
}

export class PutPayoutMethodBody extends DeletePayoutMethodBody {
  @Nested(() => PayoutMethodInput)
  method!: PayoutMethodInput;
}

type Field = Exclude<keyof PayoutMethodInput, 'type'>;

const fieldsOf: Record<PayoutMethodType, { needed: readonly Field[]; may: readonly Field[] }> = {
  paypal: { needed: ['email'], may: [] },
  wise: { needed: ['email', 'name'], may: [] },
  bank: { needed: ['holder', 'country'], may: ['iban', 'accountNumber', 'routingNumber', 'bic'] },
  other: { needed: ['text'], may: [] },
};

const allFields: readonly Field[] = [
  ...new Set(Object.values(fieldsOf).flatMap(({ needed, may }) => [...needed, ...may])),
];

const problem = (field: Field, message: string): FieldProblem => ({
  field: `method.${field}`,
  message,
});

/** What is wrong with a method as a whole. */
export function problemsOfMethod({ method }: PutPayoutMethodBody): FieldProblem[] {
  const { needed, may } = fieldsOf[method.type];
  const missing = needed.filter((field) => method[field] === undefined);
  const foreign = allFields.filter(
    (field) => method[field] !== undefined && !needed.includes(field) && !may.includes(field),
  );
  return [
    ...missing.map((field) => problem(field, `is required for ${method.type}`)),
    ...foreign.map((field) => problem(field, `must not be given for ${method.type}`)),
    ...problemsOfCells(method),
    ...(method.type === 'bank' ? problemsOfBank(method) : []),
  ];
}

/**
 * What files hold as it is: with the sign that neutralises a formula, also one of full width, it would
 * be somebody else.
 */
function problemsOfCells(method: PayoutMethodInput): FieldProblem[] {
  return (['email', 'name', 'holder'] as const)
    .filter((field) => /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(method[field] ?? ''))
    .map((field) => problem(field, 'must not begin with =, +, - or @'));
}

function problemsOfBank(method: PayoutMethodInput): FieldProblem[] {
  const { country, bic } = method;
  const problems = problemsOfAccount(method);
  if (country !== undefined && !isISO31661Alpha2(country)) {
    problems.push(problem('country', 'must be a country, by its two letters (ISO 3166)'));
  }
  if (bic !== undefined && !isValidBIC(bic.toUpperCase())) {
    problems.push(problem('bic', 'must be a BIC'));
  }
  return problems;
}

function problemsOfAccount(method: PayoutMethodInput): FieldProblem[] {
  const { country, iban, accountNumber, routingNumber } = method;
  if (iban !== undefined) return problemsOfIban(method, electronic(iban));
  if (accountNumber === undefined && routingNumber === undefined) {
    return [problem('iban', 'is required, or accountNumber and routingNumber')];
  }
  if (accountNumber === undefined) return [problem('accountNumber', 'is required')];
  if (routingNumber === undefined) return [problem('routingNumber', 'is required')];
  const isWrong = isOfUnitedStates(country) && !hasCheckDigit(routingNumber);
  return isWrong ? [problem('routingNumber', 'must be nine digits, the last its check digit')] : [];
}

function problemsOfIban(method: PayoutMethodInput, iban: string): FieldProblem[] {
  if (!isValidIBAN(iban)) return [problem('iban', 'must be a valid IBAN')];
  const doubled = (['accountNumber', 'routingNumber'] as const)
    .filter((field) => method[field] !== undefined)
    .map((field) => problem(field, 'must not be given together with iban'));
  const { country = iban } = method;
  if (country.slice(0, 2).toUpperCase() === iban.slice(0, 2)) return doubled;
  return [...doubled, problem('country', "must be the IBAN's own, its first two letters")];
}

/** The United States, with the areas whose banks have routing numbers of the American Bankers Association. */
function isOfUnitedStates(country = ''): boolean {
  return ['US', 'AS', 'GU', 'MP', 'PR', 'UM', 'VI'].includes(country.toUpperCase());
}

function hasCheckDigit(routingNumber: string): boolean {
  if (!/^\d{9}$/.test(routingNumber)) return false;
  const weights = [3, 7, 1];
  const sum = [...routingNumber].reduce(
    (all, digit, at) => all + Number(digit) * (weights[at % 3] ?? 0),
    0,
  );
  return sum > 0 && sum % 10 === 0;
}

function electronic(iban: string): string {
  return iban.replace(/\s/g, '').toUpperCase();
}

/** The method that a body without problems holds, in the form in which it is kept. */
export function methodOf({ method }: PutPayoutMethodBody): PayoutMethod {
  const { country, iban, bic } = method;
  return {
    ...method,
    ...(country === undefined ? {} : { country: country.toUpperCase() }),
    ...(iban === undefined ? {} : { iban: electronic(iban) }),
    ...(bic === undefined ? {} : { bic: bic.toUpperCase() }),
  } as PayoutMethod;
}

export class ShownMethodDto {
  @OneOf(payoutMethodTypes, { example: 'bank' })
  type!: PayoutMethodType;

  @AnyText({ optional: true })
  email?: string;

  @AnyText({ optional: true })
  name?: string;

  @AnyText({ optional: true, example: 'Pat Partner' })
  holder?: string;

  @AnyText({ optional: true, example: 'DE' })
  country?: string;

  @AnyText({ optional: true, description: 'The last four characters.', example: '...3000' })
  iban?: string;

  @AnyText({ optional: true, description: 'The last four characters.' })
  accountNumber?: string;

  @AnyText({ optional: true })
  routingNumber?: string;

  @AnyText({ optional: true })
  bic?: string;

  @AnyText({ optional: true })
  text?: string;
}

export class PayoutMethodDto {
  @Nested(() => ShownMethodDto, { nullable: true })
  method!: ShownMethodDto | null;
}

export function presentPayoutMethod(method: PayoutMethod | null): PayoutMethodDto {
  return { method: method && shownMethod(method) };
}
