import { Fragment, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useListSearch } from './filters';
import { text } from '../text/en';

/** A part of a page: what stands in the address, its words, and what it shows. */
export type Part = readonly [id: string, words: string, shows: ReactNode];

/** A long page with a second navigation: all of it, or one part, as the address says. */
export function Parts({ label, of }: { label: string; of: readonly (Part | false)[] }) {
  const { search } = useListSearch();
  const parts = of.filter((part) => part !== false);
  const chosen = parts.find(([id]) => id === search['part']);
  return (
    <>
      <nav aria-label={label} className="sub-nav">
        {[['', text.all] as const, ...parts].map(([id, words]) => (
          <Link
            key={id}
            to="."
            search={{ part: id || undefined, mode: search['mode'] } as never}
            activeOptions={{ explicitUndefined: true }}
            aria-current={(chosen?.[0] ?? '') === id ? 'page' : undefined}
          >
            {words}
          </Link>
        ))}
      </nav>
      {(chosen ? [chosen] : parts).map(([id, , shows]) => (
        <Fragment key={id}>{shows}</Fragment>
      ))}
    </>
  );
}
