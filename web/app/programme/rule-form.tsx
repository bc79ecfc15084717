import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { typedMoney } from '../../ui/format';
import { Area, Choice, Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { metadataInWords, minimumCurrency } from '../../ui/terms';
import { useGroups } from '../use-groups';
import { EarningFields } from './earning-fields';
import { PartnerTicks } from './partner-ticks';
import { earningOf, listOf, moneyOrNull } from './terms';
import type { Program, Rule } from '../../session/records';

interface RuleFormProps {
  program: Program;
  rule?: Rule;
  /** Where it stands: the API names problems by it. */
  place: number;
  save: (rule: Rule) => Promise<unknown>;
}

export function RuleForm({ program, rule, place, save }: RuleFormProps) {
  return (
    <Form
      submit={text.save}
      within={`rules[${place}].`}
      onSubmit={async (typed) => save(ruleOf(typed, program))}
    >
      <Fields program={program} rule={rule} />
    </Form>
  );
}

/** The rule without conditions that are empty, which hold for every sale. */
function ruleOf(typed: Record<string, string>, program: Program): Rule {
  const { name = '', type, holdDays, autoApprove } = typed;
  const earned =
    type === 'none'
      ? { type, holdDays: null, autoApprove: null }
      : {
          holdDays: holdDays ? Number(holdDays) : null,
          autoApprove: autoApprove ? autoApprove === 'true' : null,
          ...earningOf(typed, program.currency, 'earned'),
        };
  return { name, match: matchOf(typed, program), ...earned } as Rule;
}

function matchOf(typed: Record<string, string>, program: Program): Rule['match'] {
  const list = (name: string): string[] => listOf(typed[name] ?? '');
  const currencies = list('currencies').map((code) => code.toLowerCase());
  const inOne = minimumCurrency({ currencies }, program.currency);
  const sum = (name: string): number | null => moneyOrNull(typed[name] ?? '', inOne, 'rules');
  const productIds = list('productIds');
  const match: Rule['match'] = {
    eventTypes: list('eventTypes'),
    currencies,
    participantIds: list('participantIds'),
    groupIds: list('groupIds'),
    minAmountCents: sum('minAmount'),
    maxAmountCents: sum('maxAmount'),
    productIds,
    productMatch: productIds.length > 0 && typed['productMatch'] === 'any' ? 'any' : null,
    metadata: metadataOf(typed['metadata'] ?? ''),
    customerMonths: spanOf(typed, 'months', 1),
    paymentNumbers: spanOf(typed, 'payments', 0),
    customerSince: sinceOf(typed),
  };
  const isSaid = (value: unknown): boolean =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(match).filter(([, value]) => isSaid(value)));
}

/** Ends as they are typed, less what they are counted from. */
function spanOf(
  typed: Record<string, string>,
  name: string,
  less: number,
): NonNullable<Rule['match']['customerMonths']> | null {
  const end = (which: string): number | null => {
    const text = typed[`${name}${which}`] ?? '';
    return text === '' ? null : Number(text) - less;
  };
  const [from, to] = [end('From'), end('To')];
  return from === null && to === null ? null : { from, to };
}

/** Days of the address's own calendar, UTC. */
function sinceOf(
  typed: Record<string, string>,
): NonNullable<Rule['match']['customerSince']> | null {
  const at = (day: string | undefined): string | null => (day ? `${day}T00:00:00.000Z` : null);
  const [from, to] = [at(typed['sinceFrom']), at(typed['sinceTo'])];
  return from === null && to === null ? null : { from, to };
}

/** `plan = pro, business`, a line each. */
function metadataOf(typed: string): NonNullable<Rule['match']['metadata']> | null {
  const lines = typed.split('\n').filter((line) => line.includes('='));
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...values] = line.split('=');
      return [key.trim(), listOf(values.join('='))];
    }),
  );
}

interface FieldsProps {
  program: Program;
  rule: Rule | undefined;
}

function Fields({ program, rule }: FieldsProps) {
  return (
    <>
      <Earns program={program} rule={rule} />
      <Conditions program={program} rule={rule} />
      <Field
        label={words.hold}
        name="holdDays"
        type="number"
        hint={words.asProgramme}
        defaultValue={rule?.holdDays ?? ''}
      />
      <Choice
        label={words.autoApprove}
        name="autoApprove"
        defaultValue={String(rule?.autoApprove ?? '')}
        options={[
          ['', words.asProgrammeShort],
          ['true', text.yes],
          ['false', text.no],
        ]}
      />
    </>
  );
}

function Earns({ program: { currency }, rule }: FieldsProps) {
  return (
    <>
      <Field label={text.name} name="name" defaultValue={rule?.name} />
      <EarningFields
        earning={rule}
        currency={currency}
        fields={{ flat: 'amountCents', percentage: 'rateBps' }}
        mayBeNothing
      />
    </>
  );
}

function Conditions({ program, rule }: FieldsProps) {
  const match = rule?.match ?? {};
  const least = match.minAmountCents;
  return (
    <>
      <Field
        label={words.kinds}
        name="eventTypes"
        hint={words.kindsHint}
        defaultValue={(match.eventTypes ?? []).join(', ')}
        field="match.eventTypes"
      />
      <Field
        label={words.currencies}
        name="currencies"
        hint={words.anyHint}
        defaultValue={(match.currencies ?? []).join(', ').toUpperCase()}
        field="match.currencies"
      />
      <Field
        label={words.least}
        name="minAmount"
        inputMode="decimal"
        hint={words.anyHint}
        defaultValue={
          typeof least === 'number'
            ? typedMoney(least, minimumCurrency(match, program.currency))
            : ''
        }
        field="match.minAmountCents"
      />
      <Field
        label={words.most}
        name="maxAmount"
        inputMode="decimal"
        hint={words.anyHint}
        defaultValue={
          typeof match.maxAmountCents === 'number'
            ? typedMoney(match.maxAmountCents, minimumCurrency(match, program.currency))
            : ''
        }
        field="match.maxAmountCents"
      />
      <PartnerTicks
        programId={program.id}
        name="participantIds"
        chosen={match.participantIds ?? []}
      />
      <GroupTicks programId={program.id} chosen={match.groupIds ?? []} />
      <OfCart match={match} />
      <OfCustomer match={match} />
    </>
  );
}

function OfCart({ match }: { match: Rule['match'] }) {
  const { productIds, productMatch, metadata } = match;
  return (
    <>
      <Field
        label={words.products}
        name="productIds"
        hint={words.productsHint}
        defaultValue={(productIds ?? []).join(', ')}
        field="match.productIds"
      />
      <Choice
        label={words.productMatch}
        name="productMatch"
        defaultValue={productMatch ?? 'every'}
        options={Object.entries(words.productMatches)}
      />
      <Area
        label={words.metadata}
        name="metadata"
        hint={words.metadataHint}
        defaultValue={metadata ? metadataInWords(metadata).replaceAll('; ', '\n') : ''}
        field="match.metadata"
      />
    </>
  );
}

function OfCustomer({ match }: { match: Rule['match'] }) {
  const { customerMonths: months, paymentNumbers: numbers, customerSince: since } = match;
  const counted = (value: number | null | undefined, more: number) =>
    typeof value === 'number' ? value + more : '';
  const end = (name: keyof typeof labels, value: string | number, type: 'number' | 'date') => (
    <Field
      label={words[name]}
      name={name}
      type={type}
      hint={labels[name].hint}
      defaultValue={value}
      field={`match.${labels[name].field}`}
    />
  );
  return (
    <>
      {end('monthsFrom', counted(months?.from, 1), 'number')}
      {end('monthsTo', counted(months?.to, 1), 'number')}
      {end('paymentsFrom', counted(numbers?.from, 0), 'number')}
      {end('paymentsTo', counted(numbers?.to, 0), 'number')}
      {end('sinceFrom', since?.from?.slice(0, 10) ?? '', 'date')}
      {end('sinceTo', since?.to?.slice(0, 10) ?? '', 'date')}
    </>
  );
}

const labels = {
  monthsFrom: { hint: words.monthsHint, field: 'customerMonths' },
  monthsTo: { hint: words.monthsHint, field: 'customerMonths' },
  paymentsFrom: { hint: words.paymentsHint, field: 'paymentNumbers' },
  paymentsTo: { hint: words.paymentsHint, field: 'paymentNumbers' },
  sinceFrom: { hint: words.anyHint, field: 'customerSince' },
  sinceTo: { hint: words.anyHint, field: 'customerSince' },
};

/** Groups of the programme to tick; their ids arrive as `groupIds`. */
export function GroupTicks({
  programId,
  chosen,
}: {
  programId: string;
  chosen: readonly string[];
}) {
  const groups = useGroups(programId);
  return (
    <Loaded query={groups}>
      {({ data }) => (
        <fieldset className="ticks">
          <legend>{words.onlyGroups}</legend>
          <p className="hint">{words.allGroups}</p>
          {data.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                name="groupIds"
                value={id}
                defaultChecked={chosen.includes(id)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </Loaded>
  );
}
