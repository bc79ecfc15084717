import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../session/api-error';
import { useMay, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { ReasonButton } from '../../ui/ask';
import { formatMoney } from '../../ui/format';
import { Problem } from '../../ui/page';
import type { BulkResultDto, Commission } from '../../session/records';

const words = text.app.commissions;

type Action = 'approve' | 'reject' | 'approve-override';

/** A commission that was not decided, and why. */
interface Failure {
  id: string;
  message: string;
}

/** Decides what is chosen, and names each that could not be. */
export function Selected({ of, clear }: { of: readonly Commission[]; clear: () => void }) {
  const decideAll = useDecide();
  const may = useMay('member');
  const [said, setSaid] = useState<{ well: number; failures: Failure[]; of: Commission[] }>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  if (!may || (of.length === 0 && !said && !error)) return null;

  const decide = async (action: Action, reason?: string): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const failures = await decideAll(of, action, reason);
      setSaid({ well: of.length - failures.length, failures, of: [...of] });
      clear();
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="selected" role="group" aria-label={words.selected}>
      <p role="status">
        {of.length > 0 ? words.chosen(of.length) : said && words.decided(said.well)}
      </p>
      {of.length > 0 && (
        <>
          <button
            type="button"
            disabled={busy}
            onClick={() => void decide('approve').catch(setError)}
          >
            {words.approve}
          </button>
          <ReasonButton
            label={words.override}
            send={(reason) => decide('approve-override', reason)}
          />
          <ReasonButton label={words.reject} send={(reason) => decide('reject', reason)} />
        </>
      )}
      <Problem error={error} />
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

type DecideAll = (
  of: readonly Commission[],
  action: Action,
  reason: string | undefined,
) => Promise<Failure[]>;

/** Programme by programme, as the API takes many; a hold is overridden one by one. */
function useDecide(): DecideAll {
  const session = useSession();
  const mode = useMode();
  const queries = useQueryClient();
  const patch = <T,>(path: string, body: object): Promise<T> =>
    session.call<T>(path, { method: 'PATCH', body, mode });

  const many = async (
    of: readonly Commission[],
    action: 'approve' | 'reject',
    reason: string | undefined,
  ): Promise<Failure[]> => {
    const failures: Failure[] = [];
    for (const programId of new Set(of.map((one) => one.programId))) {
      const commissionIds = of.filter((one) => one.programId === programId).map(({ id }) => id);
      const { results } = await patch<BulkResultDto>(
        `/api/v1/programs/${programId}/commissions/bulk-${action}`,
        { commissionIds, ...(reason !== undefined && { reason }) },
      );
      const refused = results.filter(({ ok }) => !ok);
      failures.push(
        ...refused.map(({ commissionId, message = '' }) => ({ id: commissionId, message })),
      );
    }
    return failures;
  };

  const override = async (of: readonly Commission[], reason = ''): Promise<Failure[]> => {
    const failures: Failure[] = [];
    for (const { id, programId } of of) {
      const path = `/api/v1/programs/${programId}/commissions/${id}/approve-override`;
      await patch(path, { reason }).catch((error: unknown) => {
        // What concerns this one alone does not keep the others from being decided.
        if (!(error instanceof ApiError) || ![403, 404, 409].includes(error.status)) throw error;
        failures.push({ id, message: error.message });
      });
    }
    return failures;
  };

  return async (of, action, reason) => {
    try {
      return action === 'approve-override'
        ? await override(of, reason)
        : await many(of, action, reason);
    } finally {
      await queries.invalidateQueries();
    }
  };
}
