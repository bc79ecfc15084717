import { useParams } from '@tanstack/react-router';
import { useAnswer, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { payouts as words } from '../../text/en/app/payouts';
import { ConfirmButton } from '../../ui/ask';
import { ExportButton } from '../../ui/export-button';
import { Loaded, Page, Section } from '../../ui/page';
import { Amounts, Badge, Facts, When } from '../../ui/values';
import { Files } from './payout-files';
import { Items } from './payout-items';
import { Batches } from './payout-batches';
import { Results } from './payout-results';
import { SendPayout } from './send-payout';
import type { PayoutDetail } from '../../session/records';
import { sumsInWords, sumsOf } from '../../ui/sums';

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
  const payout = useAnswer('payouts.get', { id: payoutId }, lookMs);
  const may = useMay('admin');
  return (
    <Page
      title={words.one}
      name={payout.data?.reference ?? undefined}
      trail={[['/payouts', words.title]]}
      beside={payout.data && <State of={payout.data} />}
      actions={
        may && <ExportButton call="payouts.export" fields={{ id: payoutId }} label={text.export} />
      }
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
            <SendPayout of={one} />
            <Facts
              of={[
                [words.reference, one.reference],
                [text.created, <When key="created" at={one.createdAt} />],
                [words.completed, one.completedAt && <When key="completed" at={one.completedAt} />],
              ]}
            />
            {one.progress.done < one.progress.total && (
              <div className="progress">
                <span className="fine">{words.doneOf(one.progress.done, one.progress.total)}</span>
                <progress
                  max={one.progress.total}
                  value={one.progress.done}
                  aria-label={words.progress}
                />
              </div>
            )}
            <div className="three">
              <Files of={one} />
              <Pay of={one} />
              <Results of={one} />
            </div>
            <Whole of={one} />
            <Items of={one} />
            <Batches of={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** A payout is processed by the merchant: what no provider pays waits for them. */
function State({ of: { status, items } }: { of: PayoutDetail }) {
  const waits = items.some((item) => item.status === 'ready');
  return (
    <>
      <Badge status={status} />
      {status === 'processing' && waits && <span className="fine">{words.waitsForYou}</span>}
    </>
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

function Whole({ of }: { of: PayoutDetail }) {
  const ready = of.items.filter(({ status, attention }) => status === 'ready' && !attention);
  if (!useMay('admin') || ready.length === 0) return null;
  const sums = sumsInWords(ready);
  const isExported = of.items.some(({ exportedAt }) => exportedAt);
  return (
    <div className="inline-actions end">
      <ConfirmButton
        label={words.complete}
        title={words.completeTitle(ready.length, sums)}
        call="payouts.complete"
        fields={{ id: of.id }}
      >
        <p>{words.completeHint}</p>
      </ConfirmButton>
      <ConfirmButton
        label={words.cancel}
        title={words.cancelTitle(ready.length, sums)}
        className="danger"
        call="payouts.cancel"
        fields={{ id: of.id, ...(isExported && { confirmExported: true }) }}
      >
        <p>{isExported ? words.cancelExported : words.cancelHint}</p>
      </ConfirmButton>
    </div>
  );
}
