import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { payouts as words } from '../../text/en/app/payouts';
import { DialogButton } from '../../ui/dialog';
import { formatCount } from '../../ui/format';
import { Field, Form } from '../../ui/plain-form';
import { Table } from '../../ui/table';
import { amountColumn, Amounts, Avatar } from '../../ui/values';
import type { PayoutPreviewDto, Program } from '../../session/records';
import { LookFirst } from './look-first';

/** Shows who would be paid and who is left out and why; nothing is made before it is said so. */
export function NewPayout({ program }: { program: Program }) {
  if (!useMay('admin')) return null;
  return (
    <DialogButton label={words.newPayout} className="primary" isWide>
      {() => <PreviewAndCreate program={program} />}
    </DialogButton>
  );
}

function PreviewAndCreate({ program }: { program: Program }) {
  const navigate = useNavigate();
  const [requireMethod, setRequire] = useState(false);
  const [preview, setPreview] = useState<PayoutPreviewDto>();
  const look = useChange('payouts.preview', setPreview);
  const change = useChange('payouts.create');
  const asked = { programId: program.id, ...(requireMethod && { requireMethod }) };
  if (!preview) {
    return (
      <LookFirst
        hint={words.previewHint}
        choice={words.requireMethod}
        isChosen={requireMethod}
        choose={setRequire}
        label={words.preview}
        look={look}
        onLook={() => look.mutate(asked)}
      />
    );
  }
  const create = async ({ reference }: Record<string, string>): Promise<void> => {
    const { until, totals: expected } = preview;
    const fields = { ...asked, until, expected, ...(reference && { reference }) };
    const payout = await change.mutateAsync(fields);
    await navigate({ to: `/payouts/${payout.id}` });
  };
  if (preview.items.length === 0) return <PreviewTables of={preview} />;
  return (
    <Form
      submit={words.createPayout}
      beside={
        <button type="button" onClick={() => setPreview(undefined)}>
          {words.previewAgain}
        </button>
      }
      onSubmit={create}
    >
      <PreviewTables of={preview} />
      <Field label={words.reference} name="reference" hint={words.referenceHint} />
      {change.isPending && <progress aria-label={words.progress} />}
    </Form>
  );
}

/** A partner who is paid in two currencies has two rows, one after the other. */
const byName = (items: PayoutPreviewDto['items']): PayoutPreviewDto['items'] =>
  items.toSorted((one, other) =>
    one.partnerName === other.partnerName
      ? one.currency.localeCompare(other.currency)
      : one.partnerName.localeCompare(other.partnerName),
  );

function PreviewTables({ of: { items, leftOut, totals, remaining } }: { of: PayoutPreviewDto }) {
  const without = items.filter(({ method }) => method === null);
  return (
    <>
      {totals.length > 0 && (
        <p>
          {words.total}: <Amounts of={totals} />
        </p>
      )}
      {without.length > 0 && (
        <p role="status" className="as-of">
          {words.withoutMethod(without.length)}
        </p>
      )}
      <Table
        caption={words.paid}
        columns={[
          {
            title: text.partner,
            cell: ({ partnerName }) => (
              <span className="who" title={partnerName}>
                <Avatar name={partnerName} />
                <span>{partnerName}</span>
              </span>
            ),
          },
          { title: words.method, cell: ({ method }) => method?.label ?? words.noMethod },
          {
            title: words.commissions,
            isNumber: true,
            cell: ({ commissionCount }) => formatCount(commissionCount),
          },
          amountColumn,
        ]}
        rows={byName(items)}
        rowKey={({ participantId, currency }) => participantId + currency}
        empty={words.nobody}
      />
      {leftOut.length > 0 && (
        <Table
          caption={words.leftOut}
          columns={[
            { title: words.leftOut, cell: ({ partnerName }) => partnerName },
            { title: words.why, cell: ({ why }) => words.whys[why] },
            amountColumn,
          ]}
          rows={leftOut}
          rowKey={({ participantId, currency, why }) => participantId + currency + why}
          empty={text.nothing}
        />
      )}
      {remaining > 0 && <p>{words.remaining(remaining, formatCount(remaining))}</p>}
    </>
  );
}
