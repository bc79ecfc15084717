import { useAnswer, useChange, useMay } from '../../session/use-session';
import { refused } from '../../session/refused';
import type { BonusDto, GivenBonusBody, Program } from '../../session/records';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { ActButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { chosenOf, formatDay, formatMoney, parseMoney, typedMoney } from '../../ui/format';
import { AmountField, Choice, Field, Form } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { figureInWords, metrics } from '../../ui/figures';
import { useGroups } from '../use-groups';
import { GroupTicks } from './rule-form';
import { listOf } from './terms';

/** What partners earn once, by what they bring. */
export function Bonuses({ program }: { program: Program }) {
  const bonuses = useAnswer('bonuses.get', { programId: program.id });
  const may = useMay('admin') && program.status !== 'archived';
  return (
    <Section title={words.bonuses}>
      <Loaded query={bonuses}>
        {({ bonuses: all }) => (
          <>
            {all.length === 0 && <p className="empty">{words.noBonuses}</p>}
            <ol className="story">
              {all.map((bonus) => (
                <li key={bonus.id}>
                  <b>{bonus.name}</b>: <InWords bonus={bonus} program={program} />
                  {may && <BonusActs {...{ all, bonus, program }} />}
                </li>
              ))}
            </ol>
            {may && (
              <DialogButton label={words.addBonus}>
                {(close) => <BonusForm {...{ all, program }} onDone={close} />}
              </DialogButton>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function InWords({ bonus, program }: { bonus: BonusDto; program: Program }) {
  const groups = useGroups(program.id);
  const { metric, atLeast, amountCents, currency, window, groupIds } = bonus;
  const names = (groups.data?.data ?? []).filter(({ id }) => groupIds?.includes(id));
  return (
    <>
      {words.bonusInWords(
        formatMoney(amountCents, currency),
        figureInWords(metric, atLeast, program.currency),
      )}
      {window.from && ` ${words.since(formatDay(window.from))}`}
      {window.to && ` ${words.until(formatDay(window.to))}`}
      {groupIds && ` (${names.map(({ name }) => name).join(', ')})`}
    </>
  );
}

interface ListProps {
  all: readonly BonusDto[];
  program: Program;
}

function BonusActs({ all, bonus, program }: ListProps & { bonus: BonusDto }) {
  const others = all.filter(({ id }) => id !== bonus.id).map(given);
  return (
    <span className="inline-actions">
      <DialogButton label={words.change} name={words.changeOf(bonus.name)}>
        {(close) => <BonusForm {...{ all, bonus, program }} onDone={close} />}
      </DialogButton>
      <ActButton
        label={words.removeRule}
        name={words.removeOf(bonus.name)}
        call="bonuses.replace"
        fields={{ programId: program.id, bonuses: others }}
      />
    </span>
  );
}

/** The bonus in the shape in which the API takes it back. */
const given = ({ reached: _reached, ...bonus }: BonusDto): GivenBonusBody => bonus;

interface FormProps extends ListProps {
  bonus?: BonusDto;
  onDone: () => void;
}

function BonusForm({ all, bonus, program, onDone }: FormProps) {
  const replace = useChange('bonuses.replace');
  const place = bonus ? all.indexOf(bonus) : all.length;
  const send = async (typed: Record<string, string>): Promise<void> => {
    const others = all.map(given);
    const bonuses = others.toSpliced(place, 1, bonusOf(typed, { bonus, program }));
    const reached = typed['expectedReached'] ?? '';
    const expected = reached === '' ? {} : { expectedReached: Number(reached) };
    await replace.mutateAsync({ programId: program.id, bonuses, ...expected });
    onDone();
  };
  return (
    <Form submit={text.save} within={`bonuses[${place}].`} onSubmit={send}>
      <Fields bonus={bonus} program={program} />
      <Field
        label={words.expectedReached}
        name="expectedReached"
        type="number"
        hint={words.expectedReachedHint}
      />
    </Form>
  );
}

function bonusOf(
  typed: Record<string, string>,
  { bonus, program }: { bonus: BonusDto | undefined; program: Program },
): GivenBonusBody {
  const { name = '', from, to, holdDays } = typed;
  const metric = chosenOf(metrics, typed['metric']);
  const currency = bonus?.currency ?? program.currency;
  const groupIds = listOf(typed['groupIds'] ?? '');
  return {
    ...(bonus && { id: bonus.id }),
    name,
    metric,
    atLeast: figureOf(typed['atLeast'] ?? '', metric, program.currency),
    window: { from: startOf(from), to: startOf(to) },
    amountCents: centsOf(typed['amountCents'] ?? '', { field: 'amountCents', currency }),
    currency,
    groupIds: groupIds.length > 0 ? groupIds : null,
    holdDays: holdDays ? Number(holdDays) : null,
    autoApprove: bonus?.autoApprove ?? null,
  };
}

/** Days of UTC, as the rules' own. */
const startOf = (day: string | undefined): string | null => (day ? `${day}T00:00:00.000Z` : null);

function figureOf(typed: string, metric: BonusDto['metric'], currency: string): number {
  return metric === 'revenue' ? centsOf(typed, { field: 'atLeast', currency }) : Number(typed);
}

function centsOf(typed: string, { field, currency }: { field: string; currency: string }): number {
  const cents = parseMoney(typed, currency);
  if (cents === undefined) throw refused(field, text.noAmount(currency));
  return cents;
}

function Fields({ bonus, program }: { bonus: BonusDto | undefined; program: Program }) {
  const currency = bonus?.currency ?? program.currency;
  return (
    <>
      <Field label={text.name} name="name" defaultValue={bonus?.name} />
      <Choice
        label={words.metric}
        name="metric"
        defaultValue={bonus?.metric ?? 'customers'}
        options={Object.entries(words.metrics)}
      />
      <Field
        label={words.bonusFrom}
        name="atLeast"
        inputMode="decimal"
        defaultValue={bonus && typedFigure(bonus, program.currency)}
      />
      <AmountField
        label={words.bonusPays}
        name="amountCents"
        currency={currency}
        {...(bonus && { defaultValue: typedMoney(bonus.amountCents, currency) })}
      />
      <Counts window={bonus?.window} />
      <GroupTicks programId={program.id} chosen={bonus?.groupIds ?? []} />
      <Field
        label={words.hold}
        name="holdDays"
        type="number"
        hint={words.asProgramme}
        defaultValue={bonus?.holdDays ?? ''}
      />
    </>
  );
}

/** A new one begins today. */
function Counts({ window }: { window: BonusDto['window'] | undefined }) {
  return (
    <>
      <Field
        label={words.countsFrom}
        name="from"
        type="date"
        hint={words.countsFromHint}
        defaultValue={(window ? window.from : new Date().toISOString())?.slice(0, 10)}
      />
      <Field
        label={words.countsTo}
        name="to"
        type="date"
        hint={words.anyHint}
        defaultValue={window?.to?.slice(0, 10)}
      />
    </>
  );
}

function typedFigure({ metric, atLeast }: BonusDto, currency: string): string {
  return metric === 'revenue' ? typedMoney(atLeast, currency) : `${atLeast}`;
}
