import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ConfirmButton } from '../../ui/ask';
import { formatCount } from '../../ui/format';
import { List, Filter, SearchBox, useListSearch, type Column } from '../../ui/table';
import { Amounts, When } from '../../ui/values';
import { CreditCustomer, EraseBuyer } from './customer-acts';
import { OfProgram } from '../of-program';
import type { Program, ProgramCustomerDto } from '../../session/records';

const words = text.app.customers;

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
  const { search } = useListSearch();
  const path = `/api/v1/programs/${program.id}/customers`;
  const may = useMay('admin');
  return (
    <>
      <div className="filters">
        <SearchBox name="customerId" hint={words.id} />
        <Filter name="source" label={words.source} options={Object.entries(words.sources)} />
      </div>
      <List<ProgramCustomerDto>
        path={path}
        query={{ customerId: search['customerId'], source: search['source'] }}
        caption={words.title}
        columns={[...columns, ...(may ? [actsOf(program, path)] : [])]}
        empty={words.empty}
      />
    </>
  );
}

const columns: readonly Column<ProgramCustomerDto>[] = [
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
  { title: words.source, cell: ({ source }) => words.sources[source] },
  { title: words.history, cell: ({ bindings }) => <History of={bindings} /> },
  { title: words.boundAt, cell: ({ boundAt }) => <When at={boundAt} /> },
  { title: words.firstPaid, cell: ({ firstPaidAt }) => <When at={firstPaidAt} /> },
  {
    title: text.app.partners.sales,
    isNumber: true,
    cell: ({ conversions }) => formatCount(conversions),
  },
  {
    title: text.app.partners.revenue,
    isNumber: true,
    cell: ({ revenue }) => <Amounts of={revenue} />,
  },
];

/** Whose a customer was, from when until when, and why; nothing where they were one partner's all the time. */
function History({ of: bindings }: { of: ProgramCustomerDto['bindings'] }) {
  if (bindings.length < 2) return <>{text.nothing}</>;
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

function actsOf(program: Program, path: string): Column<ProgramCustomerDto> {
  return {
    title: text.actions,
    cell: ({ customerId }) => (
      <span className="inline-actions">
        <CreditCustomer program={program} label={words.creditOther} customerId={customerId} />
        <ConfirmButton
          label={words.unbind}
          call={{ path: `${path}/${encodeURIComponent(customerId)}`, method: 'DELETE' }}
        >
          <p>{words.unbindHint}</p>
        </ConfirmButton>
        <EraseBuyer customerId={customerId} />
      </span>
    ),
  };
}
