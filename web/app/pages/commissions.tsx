import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { Area, Form } from '../../ui/form';
import { DialogButton } from '../../ui/dialog';
import { Loaded, Page, Problem } from '../../ui/page';
import {
  Filter,
  Pager,
  SearchBox,
  Table,
  useListSearch,
  type Column,
  type Paged,
} from '../../ui/table';
import { Amounts, Badge, Money, When, type Amount } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import type { Commission } from '../types';

const words = text.app.commissions;
const statuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;

export default function CommissionsPage() {
  const { asked: filters } = useListSearch();
  const list = useApi<Paged<Commission>>('/api/v1/commissions', filters);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <Page
      title={words.title}
      actions={<ExportButton path="/api/v1/commissions/export" query={filters} />}
    >
      <Totals filters={filters} />
      <div className="filters">
        <SearchBox />
        <Filter
          name="status"
          label={text.status}
          options={statuses.map((one) => [one, text.statuses[one]] as const)}
        />
        <Filter name="needsReview" label={words.review} options={[['true', words.needsReview]]} />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Selected
              of={found.data.filter(({ id }) => chosen.has(id))}
              clear={() => setChosen(new Set())}
            />
            <Table
              caption={words.title}
              columns={columnsOf(chosen, setChosen)}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Stats {
  needsReviewCount: number;
  byStatus: Record<(typeof statuses)[number], { count: number; amounts: Amount[] }>;
}

function Totals({ filters }: { filters: Record<string, string | undefined> }) {
  const asked = { ...filters, sortBy: undefined, sortOrder: undefined, page: undefined };
  const stats = useApi<Stats>('/api/v1/commissions/stats', asked);
  if (!stats.data) return null;
  const { byStatus } = stats.data;
  return (
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
  );
}

type Choose = (chosen: ReadonlySet<string>) => void;

function columnsOf(chosen: ReadonlySet<string>, choose: Choose): Column<Commission>[] {
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return [
    {
      title: words.selected,
      cell: ({ id, partnerName }) => (
        <input
          type="checkbox"
          aria-label={words.select(partnerName)}
          checked={chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
    {
      title: text.created,
      sort: 'createdAt',
      cell: ({ id, programId, createdAt }) => (
        <Link to={`/commissions/${programId}/${id}`}>
          <When at={createdAt} />
        </Link>
      ),
    },
    { title: text.partner, sort: 'partnerName', cell: ({ partnerName }) => partnerName },
    { title: text.program, cell: ({ programName }) => programName },
    {
      title: text.status,
      sort: 'status',
      cell: ({ status, needsReview }) => (
        <>
          <Badge status={status} />
          {needsReview && <Badge status="needs_review" />}
        </>
      ),
    },
    {
      title: words.sale,
      isNumber: true,
      cell: ({ conversionAmountCents, currency }) => (
        <Money cents={conversionAmountCents} currency={currency} />
      ),
    },
    {
      title: text.amount,
      sort: 'amountCents',
      isNumber: true,
      cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
    },
  ];
}

interface BulkAnswer {
  succeeded: number;
  failed: number;
}

/** Approves or rejects what is chosen, programme by programme. */
function Selected({ of, clear }: { of: readonly Commission[]; clear: () => void }) {
  const change = useChange<BulkAnswer>();
  const may = useMay('member');
  const [said, setSaid] = useState('');
  if (!may || (of.length === 0 && said === '')) return null;

  const decide = async (action: 'bulk-approve' | 'bulk-reject', reason?: string): Promise<void> => {
    let succeeded = 0;
    for (const programId of new Set(of.map((one) => one.programId))) {
      const commissionIds = of.filter((one) => one.programId === programId).map(({ id }) => id);
      const answer = await change.mutateAsync({
        path: `/api/v1/programs/${programId}/commissions/${action}`,
        method: 'PATCH',
        body: { commissionIds, ...(reason !== undefined && { reason }) },
      });
      succeeded += answer.succeeded;
    }
    setSaid(words.decided(succeeded, of.length - succeeded));
    clear();
  };

  return (
    <div className="selected">
      <p role="status">{of.length > 0 ? words.chosen(of.length) : said}</p>
      {of.length > 0 && (
        <>
          <button
            type="button"
            disabled={change.isPending}
            onClick={() => void decide('bulk-approve')}
          >
            {words.approve}
          </button>
          <DialogButton label={words.reject}>
            {(close) => (
              <Form
                submit={words.reject}
                onSubmit={async ({ reason }) => {
                  await decide('bulk-reject', reason);
                  close();
                }}
              >
                {(problem) => (
                  <Area label={text.reason} name="reason" problem={problem('reason')} />
                )}
              </Form>
            )}
          </DialogButton>
        </>
      )}
      <Problem error={change.error} />
    </div>
  );
}
