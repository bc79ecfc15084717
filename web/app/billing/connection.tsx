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

type Told = NonNullable<ReturnType<typeof useConnection>['data']>;

/** `connected` too where all that is wrong without a key is that it reads no promotion codes. */
export function stateOf(connection: Told): Told['status'] {
  const { status, missingKinds } = connection;
  const hasKey =
    'hasRestrictedKey' in connection ? connection.hasRestrictedKey : connection.hasApiKey;
  return status === 'error' && !hasKey && !missingKinds?.length ? 'connected' : status;
}

/** The state of a connection, and how it is made. */
export function Connection({ biller }: { biller: Biller }) {
  const connection = useConnection(biller);
  const may = useMay('admin');
  const name = text.billers[biller];
  return (
    <Loaded query={connection}>
      {(told) => (
        <>
          <Facts
            of={[
              [text.status, <Badge key="status" status={stateOf(told)} />],
              [words.endpoint, told.url && <Copyable key="url" value={told.url} />],
              [words.lastEvent, <When key="last" at={told.lastEventAt} />],
              [stateOf(told) === 'error' ? words.lastError : words.limit, told.lastError],
              [words.missingKinds(name), told.missingKinds?.join(', ') || null],
            ]}
          />
          {may && (
            <Connect biller={biller} url={told.url} isConnected={told.status !== 'not_connected'} />
          )}
        </>
      )}
    </Loaded>
  );
}
