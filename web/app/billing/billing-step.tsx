import type { Tracking } from '../../session/records';
import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { billing as words } from '../../text/en/app/billing';
import { FilteredLink } from '../../ui/link';
import { Loaded } from '../../ui/page';
import { Badge } from '../../ui/values';
import { Another } from './another';
import { Connect } from './connect';
import { stateOf, useConnection } from './connection';
import { WhoBills, type Bills } from './who-bills';

/** Who bills, and the way from there to sales that are credited by themselves. */
export function BillingStep({ chosen, tracking }: { chosen: Bills; tracking: Tracking }) {
  const biller = chosen === 'another' ? undefined : chosen;
  const connection = useConnection(biller);
  const may = useMay('admin');
  return (
    <>
      <WhoBills chosen={chosen} />
      {biller === undefined ? (
        <Another tracking={tracking} />
      ) : (
        <>
          <p>{words.hints[biller]}</p>
          <p>
            <a
              target="_blank"
              rel="noreferrer"
              href={`${tracking.guideUrl}#${biller === 'stripe' ? 'stripe-checkout' : biller}`}
            >
              {words.guide}
            </a>
          </p>
          <Loaded query={connection}>
            {(told) => (
              <>
                {told.status !== 'not_connected' && (
                  <p role="status">
                    <Badge status={stateOf(told)} />{' '}
                    {told.lastError ?? (told.lastEventAt ? null : words.waits)}
                  </p>
                )}
                {may ? (
                  <Connect
                    biller={biller}
                    url={told.url}
                    isConnected={told.status !== 'not_connected'}
                  />
                ) : (
                  <p>{words.asksAdmin}</p>
                )}
              </>
            )}
          </Loaded>
          <p>
            <FilteredLink to="/developers" search={{ part: 'billing', billing: biller }}>
              {words.seeEvents(text.billers[biller])}
            </FilteredLink>
          </p>
        </>
      )}
    </>
  );
}
