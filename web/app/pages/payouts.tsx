import { useState } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useApi, useChange, useMay, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { formatCount, inWords } from '../../ui/format';
import { Field, Form } from '../../ui/form';
import { Loaded, Problem } from '../../ui/page';
import { Filter, Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Amounts, Badge, Money, When, type Amount } from '../../ui/values';
import { OfProgram } from '../of-program';
import type { Payout, PayoutItem, Program } from '../types';

const words = text.app.payouts;

export default function PayoutsPage() {
  return (
    <OfProgram title={words.title} actions={(program) => <NewPayout program={program} />}>
      {(program) => <Payouts program={program} />}
    </OfProgram>
  );
}

function Payouts({ program }: { program: Program }) {
  const { search } = useListSearch();
  const list = useApi<Paged<Payout>>('/api/v1/payouts', {
    programId: program.id,
    status: search['status'],
    page: search.page,
  });
  return (
    <>
      <div className="filters">
        <Filter
          name="status"
          label={text.status}
          options={(['processing', 'completed', 'cancelled'] as const).map(
            (one) => [one, inWords(one)] as const,
          )}
        />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
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
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
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

interface Preview {
  items: PayoutItem[];
  totals?: Amount[];
  leftOut: {
    participantId: string;
    partnerName: string;
    currency: string;
    amountCents: number;
    why: string;
  }[];
  until?: string;
}

/** Shows who would be paid and who is left out and why; nothing is made before it is said so. */
function NewPayout({ program }: { program: Program }) {
  if (!useMay('admin')) return null;
  return (
    <DialogButton label={words.newPayout} className="primary">
      {() => <PreviewAndCreate program={program} />}
    </DialogButton>
  );
}

function PreviewAndCreate({ program }: { program: Program }) {
  const session = useSession();
  const mode = useMode();
  const navigate = useNavigate();
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<unknown>();
  const change = useChange<Payout>();
  const look = (): void => {
    setError(undefined);
    const body = { programId: program.id };
    session
      .call<Preview>('/api/v1/payouts/preview', { method: 'POST', body, mode })
      .then(setPreview, setError);
  };
  if (!preview) {
    return (
      <>
        <p>{words.previewHint}</p>
        <Problem error={error} />
        <button type="button" className="primary" onClick={look}>
          {words.preview}
        </button>
      </>
    );
  }
  const create = async ({ reference }: Record<string, string>): Promise<void> => {
    const body = {
      programId: program.id,
      ...(reference && { reference }),
      ...(preview.until && { until: preview.until }),
      ...(preview.totals && { expected: preview.totals }),
    };
    const payout = await change.mutateAsync({ path: '/api/v1/payouts', method: 'POST', body });
    await navigate({ to: `/payouts/${payout.id}` });
  };
  return (
    <Form submit={words.createPayout} onSubmit={create}>
      {(problem) => (
        <>
          <PreviewTables of={preview} />
          <Field label={words.reference} name="reference" problem={problem('reference')} />
        </>
      )}
    </Form>
  );
}

function PreviewTables({ of: { items, leftOut } }: { of: Preview }) {
  const amount = {
    title: text.amount,
    isNumber: true,
    cell: ({ amountCents, currency }: Amount) => <Money cents={amountCents} currency={currency} />,
  };
  return (
    <>
      <Table
        caption={words.paid}
        columns={[{ title: text.partner, cell: ({ partnerName }) => partnerName }, amount]}
        rows={items}
        rowKey={({ participantId, currency }) => participantId + currency}
        empty={words.nobody}
      />
      {leftOut.length > 0 && (
        <Table
          caption={words.leftOut}
          columns={[
            { title: words.leftOut, cell: ({ partnerName }) => partnerName },
            { title: words.why, cell: ({ why }) => inWords(why) },
            amount,
          ]}
          rows={leftOut}
          rowKey={({ participantId, currency, why }) => participantId + currency + why}
          empty={text.nothing}
        />
      )}
    </>
  );
}
