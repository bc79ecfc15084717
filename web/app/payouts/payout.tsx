import { useParams } from '@tanstack/react-router';
import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ConfirmButton } from '../../ui/ask';
import { ExportButton } from '../../ui/export-button';
import { formatMoney } from '../../ui/format';
import { Loaded, Page, Section } from '../../ui/page';
import { Amounts, Badge, Facts, When } from '../../ui/values';
import { Files } from './payout-files';
import { Items } from './payout-items';
import { Batches } from './payout-batches';
import { Results } from './payout-results';
import { SendPayout } from './send-payout';
import type { PayoutDetail } from '../../session/records';
import { sumsOf } from './payouts';

const words = text.app.payouts;

/** A long one shows how far it is; what others report of its items comes in later. */
const lookMs = (payout: PayoutDetail | undefined): number | false => {
  if (!payout) return false;
  const { progress, status } = payout;
  // What a provider pays takes minutes to weeks.
  const isQuick = payout.items.every(({ provider }) => provider === null);
  if (isQuick && progress.done < progress.total) return 2_000;
  return status === 'processing' ? 15_000 : false;
};

export default function PayoutPage() {
  const { payoutId = '' } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/payouts/${payoutId}`;
  const payout = useApi<PayoutDetail>(path, undefined, lookMs);
  const may = useMay('admin');
  return (
    <Page
      title={words.one}
      trail={[['/payouts', words.title]]}
      beside={payout.data && <Badge status={payout.data.status} />}
      actions={may && <ExportButton path={`${path}/export`} label={text.export} />}
    >
      <Loaded query={payout}>
        {(one) => (
          <>
            <dl className="tiles">
              <div>
                <dt>{text.amount}</dt>
                <dd>
                  <Amounts of={sumsOf(one.items)} />
                </dd>
              </div>
              {(['ready', 'sending', 'paid', 'failed', 'returned'] as const).map((status) => (
                <Outcome key={status} status={status} of={one} />
              ))}
            </dl>
            <SendPayout path={path} of={one} />
            <Facts
              of={[
                [words.reference, one.reference],
                [text.created, <When key="created" at={one.createdAt} />],
                [words.completed, <When key="completed" at={one.completedAt} />],
              ]}
            />
            {one.progress.done < one.progress.total && (
              <progress
                max={one.progress.total}
                value={one.progress.done}
                aria-label={words.progress}
              />
            )}
            <div className="three">
              <Files path={path} of={one} />
              <Pay of={one} />
              <Results path={path} of={one} />
            </div>
            <Whole path={path} of={one} />
            <Items path={path} of={one} />
            <Batches path={path} isOpen={one.status === 'processing'} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** How many items have come to this, and their sums. */
function Outcome({
  status,
  of: { items },
}: {
  status: 'ready' | 'sending' | 'paid' | 'failed' | 'returned';
  of: PayoutDetail;
}) {
  const some = items.filter((item) => item.status === status);
  if (some.length === 0) return null;
  return (
    <div>
      <dt>{words.outcomes[status]}</dt>
      <dd>
        <Amounts of={sumsOf(some)} />
      </dd>
      <dd className="fine">{words.ofPartners(some.length)}</dd>
    </div>
  );
}

/** The step between the files and the results is taken at the bank. */
function Pay({ of: { items } }: { of: PayoutDetail }) {
  const may = useMay('admin');
  const without = items.filter(({ status, method }) => status === 'ready' && method === null);
  if (!may || items.every(({ status }) => status !== 'ready')) return null;
  return (
    <Section title={words.steps.pay}>
      <p>{words.payHint}</p>
      {without.length > 0 && (
        <p>
          {words.withoutMethod(without.length)} {without.map((one) => one.partnerName).join(', ')}
        </p>
      )}
    </Section>
  );
}

function Whole({ path, of }: { path: string; of: PayoutDetail }) {
  const ready = of.items.filter(({ status, attention }) => status === 'ready' && !attention);
  if (!useMay('admin') || ready.length === 0) return null;
  const sums = sumsOf(ready)
    .map(({ amountCents, currency }) => formatMoney(amountCents, currency))
    .join(', ');
  const isExported = of.items.some(({ exportedAt }) => exportedAt);
  const body = isExported ? { confirmExported: true } : {};
  return (
    <div className="inline-actions end">
      <ConfirmButton
        label={words.complete}
        title={words.completeTitle(ready.length, sums)}
        call={{ path: `${path}/complete`, method: 'POST', body: {} }}
      >
        <p>{words.completeHint}</p>
      </ConfirmButton>
      <ConfirmButton
        label={words.cancel}
        title={words.cancelTitle(ready.length, sums)}
        className="danger"
        call={{ path: `${path}/cancel`, method: 'POST', body }}
      >
        <p>{isExported ? words.cancelExported : words.cancelHint}</p>
      </ConfirmButton>
    </div>
  );
}
