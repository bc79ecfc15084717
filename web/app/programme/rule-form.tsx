import { text } from '../../text/en';
import { typedMoney } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { minimumCurrency } from '../../ui/terms';
import { EarningFields } from './earning-fields';
import { PartnerTicks } from './partner-ticks';
import { earningOf, listOf, moneyOrNull } from './terms';
import type { Program, Rule } from '../../session/records';

const words = text.app.programme;

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

/** Without conditions that are empty: those hold for every sale. */
function ruleOf(typed: Record<string, string>, program: Program): Rule {
  const eventTypes = listOf(typed['eventTypes'] ?? '');
  const currencies = listOf(typed['currencies'] ?? '').map((code) => code.toLowerCase());
  const participantIds = listOf(typed['participantIds'] ?? '');
  const inOne = minimumCurrency({ currencies }, program.currency);
  const minAmountCents = moneyOrNull(typed['minAmount'] ?? '', inOne, 'rules');
  const { name = '', holdDays, autoApprove } = typed;
  return {
    name,
    match: {
      ...(eventTypes.length > 0 && { eventTypes }),
      ...(currencies.length > 0 && { currencies }),
      ...(participantIds.length > 0 && { participantIds }),
      ...(minAmountCents !== null && { minAmountCents }),
    },
    holdDays: holdDays ? Number(holdDays) : null,
    autoApprove: autoApprove === '' ? null : autoApprove === 'true',
    ...(earningOf(typed, program.currency, 'earned') as Pick<Rule, 'type'>),
  } as Rule;
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
      <PartnerTicks
        programId={program.id}
        name="participantIds"
        chosen={match.participantIds ?? []}
      />
    </>
  );
}
