import { useAnswer, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { billing as words } from '../../text/en/app/billing';
import { Loaded } from '../../ui/page';
import { Badge, Copyable, Facts, When } from '../../ui/values';
import { Connect } from './connect';
import type { Biller } from './ways';

/** What a connection to any biller says of itself. */
export function useConnection(biller: Biller | undefined) {
  const isStripe = biller === 'stripe';
  return useAnswer(
    isStripe ? 'stripe.getConnection' : 'billers.getConnection',
    biller !== undefined && (isStripe ? {} : { biller }),
  );
}

/** The state of a connection, and how it is made. */
export function Connection({ biller }: { biller: Biller }) {
  const connection = useConnection(biller);
  const may = useMay('admin');
  const name = text.billers[biller];
  return (
    <Loaded query={connection}>
      {({ status, url, lastEventAt, lastError, missingKinds }) => (
        <>
          <Facts
            of={[
              [text.status, <Badge key="status" status={status} />],
              [words.endpoint, url && <Copyable key="url" value={url} />],
              [words.lastEvent, <When key="last" at={lastEventAt} />],
              [status === 'error' ? words.lastError : words.limit, lastError],
              [words.missingKinds(name), missingKinds?.join(', ') || null],
            ]}
          />
          {may && <Connect biller={biller} url={url} isConnected={status !== 'not_connected'} />}
        </>
      )}
    </Loaded>
  );
}
