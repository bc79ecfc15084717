import { useSyncExternalStore } from 'react';
import { text } from '../text/en';

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline'] as const;
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
}

/** Says that the browser has no network, on top of whatever the page still shows. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return <div role="status">{!isOnline && <p className="notice-box">{text.offline}</p>}</div>;
}
