import { operationOf } from '../../session/operations';
import type { Tracking } from '../../session/records';
import { useMode } from '../../session/use-session';
import { billing as words } from '../../text/en/app/billing';
import { Copyable } from '../../ui/values';
import { useProgram } from '../use-program';

/** Whoever is not read here: the merchant's own server tells of each sale. */
export function Another({ tracking }: { tracking: Tracking | undefined }) {
  const mode = useMode();
  const { program } = useProgram();
  return (
    <>
      <p>{words.anotherHint}</p>
      {tracking && (
        <>
          <p>{words.reportHint}</p>
          <Copyable value={reportOf(tracking.script.url, mode, program?.currency ?? 'usd')} />
          <p>
            <a
              target="_blank"
              rel="noreferrer"
              href={`${tracking.guideUrl}#own-server-by-any-biller`}
            >
              {words.guide}
            </a>
          </p>
        </>
      )}
    </>
  );
}

/** A sale as a server reports it, for a command line; `near`: an address of the service. */
function reportOf(near: string, mode: string, currency: string): string {
  const sale = {
    external_transaction_id: 'order-1',
    event_type: 'purchase',
    click_id: 'CLICK_ID',
    customer_id: 'customer-1',
    amount_cents: 4_900,
    currency,
  };
  return [
    `curl ${new URL(operationOf('conversions.report').path, near).href}`,
    `-H "Authorization: Bearer sk_${mode}_YOUR_KEY"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(sale)}'`,
  ].join(' ');
}
