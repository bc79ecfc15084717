import { useEffect, useState } from 'react';

interface Selgeo {
  ready(done: (clickId: string | null) => void): void;
}
type Queue = { push(use: (selgeo: Selgeo) => void): unknown };

/** The id of the visitor's click, for the order; null before the script knows, and where there is none. */
export function useClickId(): string | null {
  const [clickId, setClickId] = useState<string | null>(null);
  useEffect(() => {
    let isShown = true;
    const page = globalThis as { __selgeoQueue?: Queue };
    page.__selgeoQueue ??= [];
    page.__selgeoQueue.push((selgeo) => {
      selgeo.ready((id) => {
        if (isShown) setClickId(id);
      });
    });
    return () => {
      isShown = false;
    };
  }, []);
  return clickId;
}
