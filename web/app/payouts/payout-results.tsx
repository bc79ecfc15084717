import { useRef, useState } from 'react';
import { refused } from '../../session/refused';
import { useChange, useMay, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { payouts as words } from '../../text/en/app/payouts';
import { DialogButton } from '../../ui/dialog';
import { textOf } from '../../ui/file-text';
import { inWords } from '../../ui/format';
import { Problem, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Money } from '../../ui/values';
import type { Payout, PayoutResultsDto } from '../../session/records';

/** What the bank says happened: first what it would change, then it is applied. */
export function Results({ of }: { of: Payout }) {
  if (!useMay('admin')) return null;
  return (
    <Section title={words.steps.results}>
      <p>{words.resultsHint}</p>
      <DialogButton label={words.upload} isWide>
        {(close) => <Upload of={of} close={close} />}
      </DialogButton>
    </Section>
  );
}

function Upload({ of, close }: { of: Payout; close: () => void }) {
  const session = useSession();
  const mode = useMode();
  const change = useChange('payouts.reportResults', close);
  // An answer is applied with the file that it was given for.
  const [seen, setSeen] = useState<{ file: string; answer: PayoutResultsDto }>();
  const latest = useRef<File>(undefined);
  const [error, setError] = useState<unknown>();
  const look = async (chosen: File | undefined): Promise<void> => {
    setError(undefined);
    setSeen(undefined);
    latest.current = chosen;
    if (!chosen) return;
    const body = await textOf(chosen);
    if (body === undefined) throw refused('body', text.notUtf8);
    const fields = { id: of.id, dryRun: true, body };
    const answer = await session.ask('payouts.reportResults', fields, mode);
    if (latest.current === chosen) setSeen({ file: body, answer });
  };
  const answer = seen?.answer;
  return (
    <>
      <label className="field">
        {words.file}
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ target }) => void look(target.files?.[0]).catch(setError)}
        />
      </label>
      <Problem error={error ?? change.error} />
      {seen && answer && (
        <>
          <p role="status">{words.wouldChange(answer.changes.length, answer.unchanged)}</p>
          <Changes of={answer} payout={of} />
          <ul>
            {answer.problems.map(({ line, message }) => (
              <li key={line}>{words.line(line, message)}</li>
            ))}
          </ul>
          {answer.problemCount > answer.problems.length && (
            <p>{words.moreProblems(answer.problemCount - answer.problems.length)}</p>
          )}
          <div className="form-end">
            <button
              type="button"
              className="primary"
              disabled={change.isPending || answer.changes.length === 0}
              onClick={() => change.mutate({ id: of.id, dryRun: false, body: seen.file })}
            >
              {words.apply}
            </button>
          </div>
        </>
      )}
    </>
  );
}

function Changes({ of: { changes }, payout }: { of: PayoutResultsDto; payout: Payout }) {
  const itemOf = (id: string) => payout.items.find((item) => item.id === id);
  return (
    <Table
      caption={words.changes}
      columns={[
        { title: words.lineTitle, isNumber: true, cell: ({ line }) => line },
        { title: text.partner, cell: ({ itemId }) => itemOf(itemId)?.partnerName },
        {
          title: text.amount,
          isNumber: true,
          cell: ({ itemId }) => {
            const item = itemOf(itemId);
            return item && <Money cents={item.amountCents} currency={item.currency} />;
          },
        },
        { title: text.status, cell: ({ from, to }) => `${inWords(from)} → ${inWords(to)}` },
        { title: words.transaction, cell: ({ transactionId }) => transactionId ?? text.nothing },
      ]}
      rows={changes}
      rowKey={({ line }) => String(line)}
      empty={words.noChanges}
    />
  );
}
