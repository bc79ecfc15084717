import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { books as booksWords } from '../../text/en/app/books';
import { payouts as words } from '../../text/en/app/payouts';
import { optionsOf, formatCount } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Filter, useFilters } from '../../ui/filters';
import { List } from '../../ui/list';
import { sumsOf } from '../../ui/sums';
import { Amounts, Badge, When } from '../../ui/values';
import { OfProgram } from '../of-program';
import { NewPayout } from './new-payout';
import type { Program } from '../../session/records';

export default function PayoutsPage() {
  return (
    <OfProgram
      title={words.title}
      actions={(program) => (
        <>
          <FilteredLink to="/payouts/books" search={{ program: program.id }}>
            {booksWords.title}
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
  const asked = useFilters('payouts.list');
  return (
    <>
      <div className="filters">
        <Filter
          call="payouts.list"
          field="status"
          label={text.status}
          options={optionsOf(['processing', 'completed', 'cancelled'])}
        />
      </div>
      <List
        call="payouts.list"
        fields={{ programId: program.id, status: asked.status }}
        caption={words.title}
        columns={[
          {
            title: text.created,
            opens: true,
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
