import { useParams } from '@tanstack/react-router';
import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ConfirmButton } from '../../ui/ask';
import { ExportButton } from '../../ui/export-button';
import { Loaded, Page } from '../../ui/page';
import { Amounts, Badge, Facts, When } from '../../ui/values';
import { Files } from './payout-files';
import { Items } from './payout-items';
import { Results } from './payout-results';
import type { PayoutDetail } from '../../session/records';
import { sumsOf } from './payouts';

const words = text.app.payouts;

/** A long one shows how far it is; what others report of its items comes in later. */
const lookMs = (payout: PayoutDetail | undefined): number | false => {
  if (!payout) return false;
  const { progress, status } = payout;
  if (progress.done < progress.total) return 2_000;
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
      actions={may && <ExportButton path={`${path}/export`} label={text.export} />}
    >
      <Loaded query={payout}>
        {(one) => (
          <>
            <Whole path={path} of={one} />
            <Facts
              of={[
                [text.status, <Badge key="status" status={one.status} />],
                [words.reference, one.reference],
                [text.created, <When key="created" at={one.createdAt} />],
                [words.completed, <When key="completed" at={one.completedAt} />],
                [text.amount, <Amounts key="amount" of={sumsOf(one.items)} />],
              ]}
            />
            {one.progress.done < one.progress.total && (
              <progress
                max={one.progress.total}
                value={one.progress.done}
                aria-label={words.progress}
              />
            )}
            <Items path={path} of={one} />
            <Files path={path} of={one} />
            <Results path={path} of={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Whole({ path, of }: { path: string; of: PayoutDetail }) {
  if (!useMay('admin') || of.status !== 'processing') return null;
  const isExported = of.items.some(({ exportedAt }) => exportedAt);
  const body = isExported ? { confirmExported: true } : {};
  return (
    <div className="selected">
      <ConfirmButton
        label={words.complete}
        className="primary"
        call={{ path: `${path}/complete`, method: 'POST', body: {} }}
      >
        <p>{words.completeHint}</p>
      </ConfirmButton>
      <ConfirmButton label={words.cancel} call={{ path: `${path}/cancel`, method: 'POST', body }}>
        <p>{isExported ? words.cancelExported : words.cancelHint}</p>
      </ConfirmButton>
    </div>
  );
}
