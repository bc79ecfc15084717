import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { ExportButton } from '../../ui/export-button';
import { inWords } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Chosen, DayFilter, Filter, List, useListSearch, type Column } from '../../ui/table';
import { amountColumn, When } from '../../ui/values';
import { OfProgram } from '../of-program';
import { figures, typesOf } from './figures';
import type { LedgerRowDto, Program } from '../../session/records';

const words = text.app.books;
const path = '/api/v1/ledger';

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
  const { asked } = useListSearch();
  const { from, to, type, currency, participantId } = asked;
  const query = { programId: program.id, from, to, type, currency, participantId };
  return (
    <>
      <p>{words.ledgerHint}</p>
      <div className="filters">
        <DayFilter name="from" label={text.from} />
        <DayFilter name="to" label={text.to} />
        <Filter name="type" label={words.kind} options={kinds} />
        <Chosen name="currency" label={words.currency} />
        <Chosen name="participantId" label={text.partner} />
        <ExportButton path={path} query={{ ...query, format: 'csv' }} />
      </div>
      <List<LedgerRowDto>
        path={path}
        query={query}
        caption={words.ledger}
        columns={columns}
        empty={words.noEntries}
      />
    </>
  );
}

const columns: Column<LedgerRowDto>[] = [
  { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    title: words.kind,
    cell: ({ type, programId, commissionId }) => (
      <Link to={`/commissions/${programId}/${commissionId}`}>{inWords(type)}</Link>
    ),
  },
  {
    title: text.partner,
    cell: ({ programId, participantId, partnerName }) => (
      <Link to={`/partners/${programId}/${participantId}`}>{partnerName}</Link>
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
