import { useState } from 'react';
import { commissions as words } from '../../text/en/app/commissions';
import { ReasonButton } from '../../ui/ask';
import { formatCount, formatMoney } from '../../ui/format';
import { Problem } from '../../ui/page';
import { sumsInWords } from '../../ui/sums';
import { useDecide, type Failure } from './decide-many';
import type { Action } from './why-not';
import { useAllThatFit } from './all-that-fit';
import type { Chosen } from './ticks';
import type { Filters } from '../../session/operations';
import type { Commission } from '../../session/records';

interface SelectedProps {
  filters: Filters<'commissions.list'>;
  chosen: Chosen;
  choose: (next: Chosen) => void;
}

/** Decides what is ticked, in batches, and names each that could not be. */
export function Selected({ filters, chosen, choose }: SelectedProps) {
  const of = [...chosen.values()];
  const decideAll = useDecide();
  const [said, setSaid] = useState<{ well: number; failures: Failure[]; of: Commission[] }>();
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState<number>();
  const all = useAllThatFit(filters, choose);
  if (of.length === 0 && !said && !error) return null;

  const decide = async (action: Action, reason?: string): Promise<void> => {
    setDone(0);
    setError(undefined);
    try {
      const failures = await decideAll({ of, action, reason, onProgress: setDone });
      setSaid({ well: of.length - failures.length, failures, of });
      choose(new Map());
    } finally {
      setDone(undefined);
    }
  };
  const named = (verb: string): string => words.decideTitle(verb, of.length, sumsInWords(of));

  return (
    <div className="selected" role="group" aria-label={words.selected}>
      <p role="status">
        {of.length > 0
          ? words.chosen(formatCount(of.length), sumsInWords(of))
          : said && words.decided(said.well)}
      </p>
      {of.length > 0 && all.offers && (
        <button type="button" className="quiet" disabled={all.isBusy} onClick={all.take}>
          {all.isBusy ? words.taken(formatCount(of.length)) : all.offers}
        </button>
      )}
      {of.length > 0 && (
        <>
          <button type="button" className="quiet" onClick={() => choose(new Map())}>
            {words.clear}
          </button>
          <button
            type="button"
            className="primary"
            disabled={done !== undefined}
            onClick={() => void decide('approve').catch(setError)}
          >
            {words.approve}
          </button>
          <ReasonButton
            label={words.override}
            title={named(words.override)}
            send={(reason) => decide('approve-override', reason)}
          />
          <ReasonButton
            label={words.reject}
            title={named(words.reject)}
            className="danger"
            send={(reason) => decide('reject', reason)}
          />
        </>
      )}
      {done !== undefined && of.length > 100 && (
        <progress max={of.length} value={done} aria-label={words.progress} />
      )}
      <Problem error={error ?? all.error} />
      {said && said.failures.length > 0 && (
        <ul role="alert" className="plain problem">
          {said.failures.map(({ id, message }) => (
            <li key={id}>
              {nameOf(said.of.find((one) => one.id === id))}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const nameOf = (one: Commission | undefined): string =>
  one ? `${one.partnerName}, ${formatMoney(one.amountCents, one.currency)}` : '';
