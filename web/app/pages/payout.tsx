import { useState } from 'react';
import { useParams } from '@tanstack/react-router';
import { useApi, useChange, useMay, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Table, type Column } from '../../ui/table';
import { Amounts, Badge, Facts, Money, When } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import type { Payout, PayoutItem } from '../types';
import { sumsOf } from './payouts';

const words = text.app.payouts;

/** While a long one is made or marked. */
const lookMs = 2_000;

export default function PayoutPage() {
  const { payoutId = '' } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/payouts/${payoutId}`;
  const payout = useApi<Payout>(path, undefined, lookMs);
  return (
    <Page title={words.one}>
      <Loaded query={payout}>
        {(one) => (
          <>
            <Whole path={path} of={one} />
            <Facts
              of={[
                [text.status, <Badge key="status" status={one.status} />],
                [words.reference, one.reference],
                [text.created, <When key="created" at={one.createdAt} />],
                [text.amount, <Amounts key="amount" of={sumsOf(one.items)} />],
              ]}
            />
            {one.progress && (
              <progress
                max={one.progress.total}
                value={one.progress.done}
                aria-label={words.progress}
              />
            )}
            <Items path={path} of={one} />
            <Files path={path} />
            <Results path={path} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Whole({ path, of }: { path: string; of: Payout }) {
  const change = useChange();
  if (!useMay('admin') || of.status !== 'processing') return null;
  const isExported = of.items.some(({ exportedAt }) => exportedAt);
  const send = (action: string, body: object = {}): void =>
    change.mutate({ path: `${path}/${action}`, method: 'POST', body });
  return (
    <div className="selected">
      <button
        type="button"
        className="primary"
        disabled={change.isPending}
        onClick={() => send('complete')}
      >
        {words.complete}
      </button>
      <DialogButton label={words.cancel}>
        {(close) => (
          <>
            <p>{isExported ? words.cancelExported : words.cancelHint}</p>
            <button
              type="button"
              className="danger"
              onClick={() => {
                send('cancel', isExported ? { confirmExported: true } : {});
                close();
              }}
            >
              {words.cancel}
            </button>
          </>
        )}
      </DialogButton>
      <Problem error={change.error} />
    </div>
  );
}

function Items({ path, of: { items } }: { path: string; of: Payout }) {
  const may = useMay('admin');
  const columns: Column<PayoutItem>[] = [
    { title: text.partner, cell: ({ partnerName }) => partnerName },
    { title: words.method, cell: ({ method }) => method?.label ?? text.nothing },
    {
      title: text.status,
      cell: ({ status }) => (status ? <Badge status={status} /> : text.nothing),
    },
    { title: words.transaction, cell: ({ transactionId }) => transactionId ?? text.nothing },
    {
      title: text.amount,
      isNumber: true,
      cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
    },
    { title: text.actions, cell: (item) => may && item.id && <Mark path={path} item={item} /> },
  ];
  return (
    <Section title={words.items}>
      <Table
        caption={words.items}
        columns={columns}
        rows={items}
        rowKey={({ id, participantId, currency }) => id ?? participantId + currency}
        empty={text.nothing}
      />
    </Section>
  );
}

const moves: Record<string, readonly string[]> = {
  ready: ['paid', 'failed'],
  paid: ['returned'],
  failed: ['paid'],
  returned: ['paid'],
  cancelled: ['paid'],
};

function Mark({ path, item }: { path: string; item: PayoutItem }) {
  const change = useChange();
  return (
    <span className="inline-actions">
      {(moves[item.status ?? ''] ?? []).map((status) => (
        <DialogButton key={status} label={words.marks[status as 'paid']}>
          {(close) => (
            <Form
              submit={words.marks[status as 'paid']}
              onSubmit={async ({ transactionId, reason }) => {
                const body = {
                  status,
                  ...(transactionId && { transactionId }),
                  ...(reason && { reason }),
                };
                await change.mutateAsync({
                  path: `${path}/items/${item.id}/mark`,
                  method: 'POST',
                  body,
                });
                close();
              }}
            >
              {(problem) => (
                <>
                  <Field
                    label={words.transaction}
                    name="transactionId"
                    problem={problem('transactionId')}
                  />
                  <Field label={text.reason} name="reason" problem={problem('reason')} />
                </>
              )}
            </Form>
          )}
        </DialogButton>
      ))}
    </span>
  );
}

function Files({ path }: { path: string }) {
  if (!useMay('admin')) return null;
  return (
    <Section title={words.files}>
      <div className="inline-actions">
        {(['paypal', 'wise', 'generic'] as const).map((format) => (
          <ExportButton
            key={format}
            path={`${path}/files/${format}`}
            label={words.formats[format]}
          />
        ))}
      </div>
    </Section>
  );
}

interface ResultsAnswer {
  rows: number;
  changes: { line: number; from: string; to: string }[];
  unchanged: number;
  problems: { line: number; message: string }[];
}

/** What the bank says happened: first what it would change, then it is applied. */
function Results({ path }: { path: string }) {
  const session = useSession();
  const mode = useMode();
  const change = useChange<ResultsAnswer>();
  const [file, setFile] = useState<string>();
  const [answer, setAnswer] = useState<ResultsAnswer>();
  const [error, setError] = useState<unknown>();
  if (!useMay('admin')) return null;
  const look = async (chosen: File | undefined): Promise<void> => {
    setError(undefined);
    if (!chosen) return;
    const body = await chosen.text();
    setFile(body);
    await session
      .call<ResultsAnswer>(`${path}/results`, {
        method: 'POST',
        query: { dryRun: true },
        body,
        mode,
      })
      .then(setAnswer, setError);
  };
  const apply = async (): Promise<void> => {
    await change.mutateAsync({
      path: `${path}/results`,
      method: 'POST',
      query: { dryRun: false },
      body: file,
    });
    setAnswer(undefined);
  };
  return (
    <Section title={words.results}>
      <label className="field">
        {words.upload}
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ target }) => void look(target.files?.[0])}
        />
      </label>
      <Problem error={error ?? change.error} />
      {answer && (
        <div role="status">
          <p>{words.wouldChange(answer.changes.length, answer.unchanged)}</p>
          <ul>
            {answer.problems.map(({ line, message }) => (
              <li key={line}>{words.line(line, message)}</li>
            ))}
          </ul>
          <button type="button" className="primary" onClick={() => void apply().catch(setError)}>
            {words.apply}
          </button>
        </div>
      )}
    </Section>
  );
}
