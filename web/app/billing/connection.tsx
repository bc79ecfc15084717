import type { BillerConnectionDto, StripeConnectionDto } from '../../session/records';
import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { Loaded } from '../../ui/page';
import { Badge, Copyable, Facts, When } from '../../ui/values';
import { Connect } from './connect';
import { ways, type Biller } from './ways';

const words = text.app.billing;

type Shared = Exclude<keyof BillerConnectionDto, 'hasApiKey'> & keyof StripeConnectionDto;

/** What a connection to any biller says of itself. */
export const useConnection = (biller: Biller | undefined) =>
  useApi<Pick<BillerConnectionDto, Shared>>(biller && ways[biller].path);

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
              [words.lastError, lastError],
              [words.missingKinds(name), missingKinds?.join(', ') || null],
            ]}
          />
          {may && <Connect biller={biller} url={url} isConnected={status !== 'not_connected'} />}
        </>
      )}
    </Loaded>
  );
}
