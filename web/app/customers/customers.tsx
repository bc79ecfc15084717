import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { customers as words } from '../../text/en/app/customers';
import { partners as partnersWords } from '../../text/en/app/partners';
import { ConfirmButton } from '../../ui/ask';
import { formatCount, optionsOf } from '../../ui/format';
import { Filter, SearchBox, useFilters } from '../../ui/filters';
import { List, type ColumnOf } from '../../ui/list';
import { Amounts, When } from '../../ui/values';
import { CreditCustomer, EraseBuyer } from './customer-acts';
import { OfProgram } from '../of-program';
import type { Program, ProgramCustomerDto } from '../../session/records';

const sources = [
  ...(['signup', 'conversion', 'stripe', 'paddle', 'polar', 'import', 'manual'] as const),
];

export default function CustomersPage() {
  return (
    <OfProgram
      title={words.title}
      actions={(program) => <CreditCustomer program={program} label={words.credit} />}
    >
      {(program) => <Customers program={program} />}
    </OfProgram>
  );
}

function Customers({ program }: { program: Program }) {
  const asked = useFilters('customers.listProgram');
  const { customerId, source } = asked;
  const may = useMay('admin');
  return (
    <>
      <div className="filters">
        <SearchBox call="customers.listProgram" field="customerId" hint={words.id} />
        <Filter
          call="customers.listProgram"
          field="source"
          label={words.source}
          options={optionsOf(sources, words.sources)}
        />
      </div>
      <List
        call="customers.listProgram"
        fields={{ programId: program.id, customerId, source }}
        caption={words.title}
        columns={[...columns, ...(may ? [actsOf(program)] : [])]}
        empty={words.empty}
      />
    </>
  );
}

const columns: readonly ColumnOf<'customers.listProgram'>[] = [
  {
    title: words.id,
    cell: ({ customerId, aliases }) => (
      <>
        <code>{customerId}</code>
        <br />
        <span className="fine">{aliases.filter((one) => one !== customerId).join(', ')}</span>
      </>
    ),
  },
  { title: text.partner, cell: ({ partnerName }) => partnerName },
  {
    title: words.source,
    cell: ({ source, boundAt }) => (
      <>
        {words.sources[source]}
        <br />
        <span className="fine">
          <When at={boundAt} />
        </span>
      </>
    ),
  },
  { title: words.history, cell: ({ bindings }) => <History of={bindings} /> },
  { title: words.firstPaid, cell: ({ firstPaidAt }) => <When at={firstPaidAt} /> },
  {
    title: partnersWords.sales,
    isNumber: true,
    cell: ({ conversions }) => formatCount(conversions),
  },
  {
    title: partnersWords.revenue,
    isNumber: true,
    cell: ({ revenue }) => <Amounts of={revenue} />,
  },
];

/**
 * The partners whose customer they were, from when until when, and why; nothing where it was one
 * partner all the time.
 */
function History({ of: bindings }: { of: ProgramCustomerDto['bindings'] }) {
  // One that still holds says no more than the row does.
  const hasChanged = bindings.length > 1 || bindings.some(({ until }) => until !== null);
  if (!hasChanged) return <>{text.nothing}</>;
  return (
    <details>
      <summary>{words.times(formatCount(bindings.length))}</summary>
      <ol className="plain">
        {bindings.map(({ participantId, partnerName, from, until, source, reason }) => (
          <li key={`${participantId} ${from ?? ''}`}>
            {partnerName}: {from === null ? words.always : <When at={from} />} {words.until}{' '}
            {until === null ? words.now : <When at={until} />}
            <br />
            <span className="fine">
              {[words.sources[source], reason].filter(Boolean).join(': ')}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function actsOf(program: Program): ColumnOf<'customers.listProgram'> {
  return {
    title: text.actions,
    cell: ({ customerId }) => (
      <span className="inline-actions">
        <CreditCustomer program={program} label={words.creditOther} customerId={customerId} />
        <ConfirmButton
          label={words.unbind}
          title={text.doTo(words.unbind, customerId)}
          className="danger"
          call="customers.unbind"
          fields={{ programId: program.id, customerId }}
        >
          <p>{words.unbindHint}</p>
        </ConfirmButton>
        <EraseBuyer customerId={customerId} />
      </span>
    ),
  };
}
