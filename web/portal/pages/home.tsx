import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { localDay, ownZone } from '../../ui/format';
import { Loaded, Page } from '../../ui/page';
import { useListSearch } from '../../ui/table';
import { Trend } from '../../ui/trend';
import { OwnPrograms } from '../own-programs';
import { Amounts, type Amount } from '../../ui/values';
import type { Balance, BalancesDto } from '../../session/records';

const words = text.portal.home;
const asked = { from: localDay(29), to: localDay(), tz: ownZone(), granularity: 'day' };

export default function HomePage() {
  const { search } = useListSearch();
  const programId = search['program'];
  const balances = useApi<BalancesDto>('/api/v1/partner/balances', { programId });
  return (
    <Page title={text.portal.nav.home}>
      <div className="filters">
        <OwnPrograms />
      </div>
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
      <Trend
        path="/api/v1/partner/analytics/trend"
        query={{ ...asked, programId, metric: 'clicks' }}
        title={words.clicks}
      />
      <Trend
        path="/api/v1/partner/analytics/trend"
        query={{ ...asked, programId, metric: 'conversions' }}
        title={words.sales}
      />
    </Page>
  );
}

const amountOf = ({ currency }: Balance, amountCents: number): Amount => ({
  currency,
  amountCents,
});

function Tile({ title, of }: { title: string; of: Amount[] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <Amounts of={of} />
      </dd>
    </div>
  );
}
