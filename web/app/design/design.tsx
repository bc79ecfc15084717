import { lazy, Suspense } from 'react';
import { text } from '../../text/en';
import { design as words } from '../../text/en/app/design';
import { AmountField, Check, Choice, Ticks } from '../../ui/form';
import { Combobox } from '../../ui/combobox';
import { ConfirmButton, FormButton, TypedButton } from '../../ui/ask';
import { formatCount, moveDay } from '../../ui/format';
import { MenuButton } from '../../ui/menu';
import { NumberField } from '../../ui/number-field';
import { Loading, Page, Problem, Section } from '../../ui/page';
import { Area, Field, Form } from '../../ui/plain-form';
import { refused } from '../../session/refused';
import { say } from '../../ui/say';
import { Sparkline } from '../../ui/sparkline';
import { Switch } from '../../ui/switch';
import { Table } from '../../ui/table';
import { Tip } from '../../ui/tooltip';
import { Amounts, Avatar, Badge, Copyable, Facts, Money } from '../../ui/values';

const Chart = lazy(async () => ({ default: (await import('../../ui/chart')).Chart }));

const currencies = [
  ['usd', 'USD'],
  ['eur', 'EUR'],
  ['kwd', 'KWD'],
] as const;
const values = [3, 5, 4, 8, 7, 11, 9, 14, 12, 17, 13, 19];
const days = values.map((_, at) => moveDay('2026-01-01', at));
const nothing = (): Promise<void> => Promise.resolve();

/** Every component, to look at in light and dark: docs/design.md says when each is used. */
export default function DesignPage() {
  return (
    <Page title={words.title}>
      <Buttons />
      <Fields />
      <Values />
      <Lists />
      <Section title={words.chart}>
        <Suspense>
          <Chart
            days={days}
            values={values}
            before={values.toReversed()}
            scale={1}
            inWords={formatCount}
          />
        </Suspense>
      </Section>
      <States />
    </Page>
  );
}

function Buttons() {
  return (
    <Section title={words.buttons}>
      <div className="inline-actions">
        <button type="button" className="primary">
          {text.save}
        </button>
        <button type="button">{text.export}</button>
        <button type="button" className="quiet">
          {text.copy}
        </button>
        <button type="button" disabled>
          {text.nextPage}
        </button>
        <button type="button" onClick={() => void say(text.saved)}>
          {words.toast}
        </button>
        <Tip says={words.tip}>
          <button type="button">{words.tooltip}</button>
        </Tip>
        <MenuButton label={words.menu} className="">
          {() => <p>{words.tip}</p>}
        </MenuButton>
        <FormButton label={words.dialog} send={nothing}>
          <Field label={text.name} name="name" />
        </FormButton>
        <ConfirmButton label={words.destroying} className="danger" call="workspace.get">
          <p>{words.tip}</p>
        </ConfirmButton>
        <TypedButton
          label={words.typed}
          expected="x"
          ask={words.typed}
          hint={words.tip}
          send={nothing}
        />
      </div>
    </Section>
  );
}

function Fields() {
  return (
    <Section title={words.fields}>
      <Form submit={text.save} onSubmit={() => Promise.reject(refused('email', words.refused))}>
        <Field label={text.name} name="name" hint={words.tip} />
        <Field label={text.email} name="email" type="email" />
        <AmountField label={text.amount} name="amount" currency="kwd" hint="KWD" />
        <Choice label={words.select} name="select" options={currencies} />
        <Combobox label={words.combobox} name="combobox" options={currencies} />
        <NumberField label={words.number} name="number" defaultValue={30} unit={words.days} />
        <Switch label={words.toggle} name="toggle" defaultChecked />
        <Check label={words.check} name="check" />
        <Ticks label={words.ticks} name="ticks" options={['usd', 'eur']} chosen={['eur']} />
        <Area label={text.reason} name="reason" />
      </Form>
    </Section>
  );
}

const statuses = ['approved', 'pending', 'rejected', 'needs_review', 'cancelled'];

function Values() {
  return (
    <Section title={words.values}>
      <p className="inline-actions">
        {statuses.map((status) => (
          <Badge key={status} status={status} />
        ))}
      </p>
      <p className="inline-actions">
        {['Ada Lovelace', 'Bean There', 'Kai', 'Noor Haddad', 'Zoë Ünal', '李雷'].map((name) => (
          <Avatar key={name} name={name} />
        ))}
      </p>
      <Facts
        of={[
          [text.amount, <Money key="m" cents={123_456} currency="usd" />],
          [
            text.amount,
            <Amounts
              key="a"
              of={[
                { currency: 'eur', amountCents: 100 },
                { currency: 'jpy', amountCents: 2_500 },
              ]}
            />,
          ],
          [words.copyable, <Copyable key="c" value="https://shop.example/?ref=ada" />],
        ]}
      />
      <Sparkline values={values} />
    </Section>
  );
}

function Lists() {
  return (
    <Section title={words.table}>
      <Table
        caption={words.table}
        columns={[
          { title: text.partner, cell: ({ name }) => name },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          {
            title: text.amount,
            isNumber: true,
            cell: ({ cents }) => <Money cents={cents} currency="usd" />,
          },
        ]}
        rows={[
          { name: 'Ada Lovelace', status: 'approved', cents: 1_250 },
          { name: 'Bean There', status: 'pending', cents: 99_900 },
        ]}
        rowKey={({ name }) => name}
        empty={text.noneFits}
      />
      <Table caption={words.empty} columns={[]} rows={[]} rowKey={String} empty={words.empty} />
    </Section>
  );
}

function States() {
  return (
    <Section title={words.states}>
      <Loading />
      <Problem error={new Error(words.refused)} retry={() => undefined} />
      <div className="notice-box">
        <p>{words.tip}</p>
      </div>
    </Section>
  );
}
