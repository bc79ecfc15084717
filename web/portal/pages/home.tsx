import { Link } from '@tanstack/react-router';
import { ConfirmAddress } from '../../account/confirm-address';
import { useAnswer } from '../../session/use-session';
import { text } from '../../text/en';
import { earnings as earningsWords } from '../../text/en/portal/earnings';
import { home as words } from '../../text/en/portal/home';
import { nav as navWords } from '../../text/en/portal/nav';
import { localDay, ownZone } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page, Section } from '../../ui/page';
import { useListSearch } from '../../ui/filters';
import { Table } from '../../ui/table';
import { Trend } from '../../ui/trend';
import { OwnPrograms, useOwnPrograms } from '../own-programs';
import { ShareLink } from '../share-link';
import { Amounts, Badge, Long, Money, When, type Amount } from '../../ui/values';
import type { Balance, PartnerCommissionDto } from '../../session/records';
import { paidWhen, saleOf } from '../earned';

/** What one needs to sell, what it has brought, and what is on its way. */
export default function HomePage() {
  const { search } = useListSearch();
  const programId = search['program'];
  const asked = { from: localDay(29), to: localDay(), tz: ownZone(), granularity: 'day' } as const;
  return (
    <Page title={navWords.home} actions={<OwnPrograms />}>
      <ConfirmAddress />
      <SayHowPaid />
      <Share programId={programId} />
      <Balances programId={programId} />
      <div className="charts">
        <Trend
          call="partnerPortal.getTrend"
          fields={{ ...asked, programId, metric: 'clicks' }}
          title={words.clicksByDay}
          empty={words.noClicks}
        />
        <Trend
          call="partnerPortal.getTrend"
          fields={{ ...asked, programId, metric: 'conversions' }}
          title={words.salesByDay}
          empty={words.noSales}
        />
      </div>
      <Latest programId={programId} />
    </Page>
  );
}

interface OfProgram {
  /** Undefined: of all. */
  programId: string | undefined;
}

/** Nobody knows where to send what is, or will be, earned. */
function SayHowPaid() {
  const balances = useAnswer('partnerPortal.getBalances');
  const method = useAnswer('partnerAccount.getPayoutMethod');
  const owed = (balances.data?.balances ?? [])
    .map((one) => amountOf(one, one.approvedCents - one.debtCents))
    .filter(({ amountCents }) => amountCents > 0);
  const programs = useOwnPrograms();
  const isIn = programs.data?.data.some(({ status }) => status === 'approved');
  if (!isIn || !balances.data || !method.data || method.data.method) return null;
  return (
    <section className="notice-box" aria-label={words.sayHow}>
      <h2>{words.sayHow}</h2>
      <p>
        {owed.length > 0 ? (
          <>
            {words.owedWithout} <Amounts of={owed} />
          </>
        ) : (
          words.beforeTheFirst
        )}
      </p>
      <FilteredLink to="/payouts" search={{ say: 'how' }} className="button primary">
        {words.sayHow}
      </FilteredLink>
    </section>
  );
}

/** The link to pass on, of the first programme that one is in. */
function Share({ programId }: OfProgram) {
  const programs = useOwnPrograms();
  return (
    <Loaded query={programs}>
      {({ data }) => {
        const approved = data.filter(({ status }) => status === 'approved');
        const chosen = approved.find((one) => one.programId === programId) ?? approved[0];
        if (chosen) return <ShareLink of={chosen} />;
        return (
          <p className="empty">
            {data.length > 0 ? words.waits : words.noProgram}{' '}
            <Link to="/programmes">{navWords.programmes}</Link>
          </p>
        );
      }}
    </Loaded>
  );
}

function Balances({ programId }: OfProgram) {
  const balances = useAnswer('partnerPortal.getBalances', { programId });
  return (
    <Loaded query={balances}>
      {({ balances: all }) => (
        <dl className="tiles">
          <Tile
            title={words.owed}
            of={all.map((one) => amountOf(one, one.approvedCents - one.debtCents))}
          />
          <Tile title={words.held} of={all.map((one) => amountOf(one, one.pendingCents))} />
          <Tile title={words.onTheWay} of={all.map((one) => amountOf(one, one.inPayoutCents))} />
          <Tile title={words.paid} of={all.map((one) => amountOf(one, one.paidCents))} />
        </dl>
      )}
    </Loaded>
  );
}

const amountOf = ({ currency }: Balance, amountCents: number): Amount => ({
  currency,
  amountCents,
});

function Tile({ title, of }: { title: string; of: Amount[] }) {
  // What is nothing in one currency is left out beside others.
  const some = of.filter(({ amountCents }) => amountCents !== 0);
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <Amounts of={some.length > 0 ? some : of.slice(0, 1)} />
      </dd>
    </div>
  );
}

const latest = 5;

/** What was earned last, and when it is paid. */
function Latest({ programId }: OfProgram) {
  const earnings = useAnswer('partnerPortal.listCommissions', { programId, limit: latest });
  const isOfMany = (useOwnPrograms().data?.total ?? 0) > 1;
  return (
    <Section
      title={words.latest}
      actions={
        <FilteredLink to="/earnings" search={{ program: programId }}>
          {words.allEarnings}
        </FilteredLink>
      }
    >
      <Loaded query={earnings}>
        {({ data }) => (
          <Table
            caption={words.latest}
            columns={[
              {
                title: text.created,
                opens: true,
                cell: ({ id, createdAt }) => (
                  <Link to={`/earnings/${id}`}>
                    <When at={createdAt} />
                  </Link>
                ),
              },
              ...(isOfMany
                ? [
                    {
                      title: text.program,
                      cell: ({ programName }: PartnerCommissionDto) => <Long of={programName} />,
                    },
                  ]
                : []),
              { title: text.status, cell: ({ status }) => <Badge status={status} /> },
              { title: earningsWords.sale, isNumber: true, cell: (row) => saleOf(row) },
              { title: earningsWords.paidWhen, cell: (row) => paidWhen(row) },
              {
                title: words.earned,
                isNumber: true,
                cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
              },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={earningsWords.empty}
          />
        )}
      </Loaded>
    </Section>
  );
}
