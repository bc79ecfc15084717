import type { CommissionStatsDto } from '../../session/records';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Loaded } from '../../ui/page';
import { Amounts } from '../../ui/values';

const words = text.app.commissions;
export const statuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;

/** What the filters hold, by status. */
export function Totals({ filters }: { filters: Record<string, string | undefined> }) {
  const asked = { ...filters, sortBy: undefined, sortOrder: undefined, page: undefined };
  const stats = useApi<CommissionStatsDto>('/api/v1/commissions/stats', asked);
  return (
    <Loaded query={stats}>
      {({ byStatus }) => (
        <dl className="tiles">
          {statuses.map((status) => (
            <div key={status}>
              <dt>{text.statuses[status]}</dt>
              <dd>
                <Amounts of={byStatus[status].amounts} />
              </dd>
              <dd className="fine">{words.count(byStatus[status].count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
