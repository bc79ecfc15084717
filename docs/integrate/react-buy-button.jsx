import { useClickId } from 'affiliate-programme-client/react';

/** The click's id is null until the script knows it, and for visitors whom nobody sent. */
export function BuyButton({ buy }) {
  const clickId = useClickId();
  return <button onClick={() => buy({ clickId })}>Buy</button>;
}
