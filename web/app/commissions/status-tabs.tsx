import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CommissionStatsDto } from '../../session/records';
import { text } from '../../text/en';
import { commissions as words } from '../../text/en/app/commissions';
import { formatCount } from '../../ui/format';
import { Problem } from '../../ui/page';
import { useListSearch } from '../../ui/filters';
import { Tabs } from '../../ui/tabs';
import { Amounts, type Amount } from '../../ui/values';

const statuses = ['pending', 'approved', 'paid', 'rejected', 'refunded'] as const;
const all = 'all';

interface TabsProps {
  stats: UseQueryResult<CommissionStatsDto>;
  children: ReactNode;
}

/** The list by status: how many each has of what the filters hold, and the sum of the chosen one. */
export function StatusTabs({ stats, children }: TabsProps) {
  const { search, set } = useListSearch();
  // An address may name a status that is none.
  const status = statuses.find((one) => one === search['status']);
  const by = stats.data?.byStatus;
  const counts = by && statuses.map((one) => by[one].count);
  const sums = status && by?.[status].amounts;
  return (
    <Tabs
      label={text.status}
      value={status ?? all}
      onChange={(next) => set({ status: next === all ? undefined : next })}
      tabs={[
        {
          value: all,
          words: text.all,
          count: counts && formatCount(counts.reduce((sum, one) => sum + one, 0)),
        },
        ...statuses.map((one) => ({
          value: one,
          words: text.statuses[one],
          count: by && formatCount(by[one].count),
        })),
      ]}
    >
      <Problem error={stats.error} />
      {sums && sums.length > 0 && <Sums of={sums} />}
      {children}
    </Tabs>
  );
}

function Sums({ of }: { of: readonly Amount[] }) {
  return (
    <p className="sums">
      {words.together} <Amounts of={of} />
    </p>
  );
}
