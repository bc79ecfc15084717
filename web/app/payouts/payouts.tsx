import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { optionsOf, formatCount } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { List, Filter, useListSearch } from '../../ui/table';
import { Amounts, Badge, When, type Amount } from '../../ui/values';
import { OfProgram } from '../of-program';
import { NewPayout } from './new-payout';
import type { Payout, Program } from '../../session/records';

const words = text.app.payouts;

export default function PayoutsPage() {
  return (
    <OfProgram
      title={words.title}
      actions={(program) => (
        <>
          <FilteredLink to="/payouts/books" search={{ program: program.id }}>
            {text.app.books.title}
          </FilteredLink>
          <NewPayout program={program} />
        </>
      )}
    >
      {(program) => <Payouts program={program} />}
    </OfProgram>
  );
}

function Payouts({ program }: { program: Program }) {
  const { search } = useListSearch();
  return (
    <>
      <div className="filters">
        <Filter
          name="status"
          label={text.status}
          options={optionsOf(['processing', 'completed', 'cancelled'])}
        />
      </div>
      <List<Payout>
        path="/api/v1/payouts"
        query={{ programId: program.id, status: search['status'] }}
        caption={words.title}
        columns={[
          {
            title: text.created,
            cell: ({ id, createdAt }) => (
              <Link to={`/payouts/${id}`}>
                <When at={createdAt} />
              </Link>
            ),
          },
          { title: words.reference, cell: ({ reference }) => reference ?? text.nothing },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          {
            title: words.items,
            isNumber: true,
            cell: ({ items }) => formatCount(items.length),
          },
          {
            title: text.amount,
            isNumber: true,
            cell: ({ items }) => <Amounts of={sumsOf(items)} />,
          },
        ]}
        empty={words.empty}
      />
    </>
  );
}

/** Sums by currency. */
export function sumsOf(items: readonly Amount[]): Amount[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of items) {
    sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  }
  return [...sums].map(([currency, amountCents]) => ({ currency, amountCents }));
}
