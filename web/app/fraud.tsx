import { useState } from 'react';
import { useApi, useChange, useMay } from '../session/use-session';
import { text } from '../text/en';
import { formatCount, inWords, localDay } from '../ui/format';
import { Loaded, Problem, Section } from '../ui/page';
import { Table, type Paged } from '../ui/table';
import { When } from '../ui/values';
import type { Program } from './types';

const words = text.app.programme;

interface FraudRule {
  rule: string;
  action: string;
  threshold: number | null;
}

interface BackTest {
  conversions: number;
  byRule: { rule: string; hits: number | null }[];
}

const fraudActions = ['off', 'flag', 'hold', 'reject'] as const;

/** Rules as they are; a change is tried on the last 90 days before it is saved. */
export function Fraud({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/fraud-rules`;
  const rules = useApi<{ rules: FraudRule[] }>(path);
  const change = useChange();
  const test = useChange<BackTest>();
  const [edited, setEdited] = useState<FraudRule[]>();
  const may = useMay('admin');
  const all = edited ?? rules.data?.rules ?? [];
  const set = (rule: string, part: Partial<FraudRule>): void =>
    setEdited(all.map((one) => (one.rule === rule ? { ...one, ...part } : one)));
  const body = {
    rules: all.map(({ threshold, ...rest }) => ({
      ...rest,
      ...(threshold !== null && { threshold }),
    })),
  };
  const span = { from: localDay(89), to: localDay() };
  return (
    <Section title={words.fraud}>
      <Table
        caption={words.fraud}
        columns={[
          { title: words.rule, cell: ({ rule }) => inWords(rule) },
          {
            title: words.action,
            cell: ({ rule, action }) => (
              <select
                aria-label={words.actionOf(inWords(rule))}
                value={action}
                disabled={!may}
                onChange={({ target }) => set(rule, { action: target.value })}
              >
                {fraudActions.map((one) => (
                  <option key={one} value={one}>
                    {inWords(one)}
                  </option>
                ))}
              </select>
            ),
          },
          {
            title: words.threshold,
            cell: ({ rule, threshold }) =>
              threshold !== null && (
                <input
                  type="number"
                  aria-label={words.thresholdOf(inWords(rule))}
                  value={threshold}
                  disabled={!may}
                  onChange={({ target }) => set(rule, { threshold: Number(target.value) })}
                />
              ),
          },
          {
            title: words.hits,
            isNumber: true,
            cell: ({ rule }) => {
              const hits = test.data?.byRule.find((one) => one.rule === rule)?.hits;
              return hits === undefined || hits === null ? text.nothing : formatCount(hits);
            },
          },
        ]}
        rows={all}
        rowKey={({ rule }) => rule}
        empty={text.loading}
      />
      <Problem error={change.error ?? test.error} />
      {may && (
        <div className="form-end">
          <button
            type="button"
            onClick={() =>
              test.mutate({ path: `${path}/back-test`, method: 'POST', body: { ...body, ...span } })
            }
          >
            {words.backTest}
          </button>
          <button
            type="button"
            className="primary"
            disabled={!edited}
            onClick={() =>
              change.mutate(
                { path, method: 'PUT', body },
                { onSuccess: () => setEdited(undefined) },
              )
            }
          >
            {text.save}
          </button>
        </div>
      )}
    </Section>
  );
}

interface Flag {
  id: string;
  rule: string;
  partnerName: string;
  conversion: { id: string; externalTransactionId: string };
  createdAt: string;
}

export function Flags({ program }: { program: Program }) {
  const flags = useApi<Paged<Flag>>(`/api/v1/programs/${program.id}/fraud-flags`, { limit: 20 });
  return (
    <Section title={words.flags}>
      <Loaded query={flags}>
        {({ data }) => (
          <Table
            caption={words.flags}
            columns={[
              { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
              { title: words.rule, cell: ({ rule }) => inWords(rule) },
              { title: text.partner, cell: ({ partnerName }) => partnerName },
              {
                title: words.sale,
                cell: ({ conversion }) => <code>{conversion.externalTransactionId}</code>,
              },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={words.noFlags}
          />
        )}
      </Loaded>
    </Section>
  );
}
