import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { books as words } from '../../text/en/app/books';
import { ExportButton } from '../../ui/export-button';
import { inWords } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Chosen, DayFilter, Filter, useFilters } from '../../ui/filters';
import { List, type ColumnOf } from '../../ui/list';
import { amountColumn, When } from '../../ui/values';
import { OfProgram } from '../of-program';
import { figures, typesOf } from './figures';
import type { Program } from '../../session/records';

/** The entries of the ledger that the address asks for, such as those behind a sum of the books. */
export default function LedgerPage() {
  return (
    <OfProgram
      title={words.ledger}
      actions={({ id }) => (
        <FilteredLink to="/payouts/books" search={{ program: id }}>
          {words.title}
        </FilteredLink>
      )}
    >
      {(program) => <Entries program={program} />}
    </OfProgram>
  );
}

const kinds = figures.map((figure) => [typesOf(figure), words.figures[figure]] as const);

function Entries({ program }: { program: Program }) {
  const asked = useFilters('payouts.listLedger');
  const { from, to, type, currency, participantId } = asked;
  const fields = { programId: program.id, from, to, type, currency, participantId };
  return (
    <>
      <p>{words.ledgerHint}</p>
      <div className="filters">
        <DayFilter call="payouts.listLedger" field="from" label={text.from} />
        <DayFilter call="payouts.listLedger" field="to" label={text.to} />
        <Filter call="payouts.listLedger" field="type" label={words.kind} options={kinds} />
        <Chosen call="payouts.listLedger" field="currency" label={words.currency} />
        <Chosen call="payouts.listLedger" field="participantId" label={text.partner} />
        <ExportButton call="payouts.listLedger" fields={{ ...fields, format: 'csv' }} />
      </div>
      <List
        call="payouts.listLedger"
        fields={fields}
        caption={words.ledger}
        columns={columns}
        empty={words.noEntries}
      />
    </>
  );
}

/** What the API calls whoever is gone. */
const erasedName = 'Erased partner';
const ofImports: readonly string[] = ['import', 'paid_elsewhere'];

/** An import that was taken back leaves its entries, and neither commission nor partner. */
function mayBeGone({ type, partnerName }: { type: string; partnerName: string }): boolean {
  return partnerName === erasedName && ofImports.includes(type);
}

const columns: ColumnOf<'payouts.listLedger'>[] = [
  { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    title: words.kind,
    cell: (row) =>
      mayBeGone(row) ? (
        inWords(row.type)
      ) : (
        <Link to={`/commissions/${row.programId}/${row.commissionId}`}>{inWords(row.type)}</Link>
      ),
  },
  {
    title: text.partner,
    cell: (row) =>
      mayBeGone(row) ? (
        row.partnerName
      ) : (
        <Link to={`/partners/${row.programId}/${row.participantId}`}>{row.partnerName}</Link>
      ),
  },
  {
    title: words.payout,
    cell: ({ payoutId }) =>
      payoutId ? <Link to={`/payouts/${payoutId}`}>{words.payout}</Link> : text.nothing,
  },
  { title: text.reason, cell: ({ reason }) => reason ?? text.nothing },
  amountColumn,
];
