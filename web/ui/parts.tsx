import { Fragment, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useListSearch } from './filters';

/** A part of a page: what stands in the address, its words, and what it shows. */
export type Part = readonly [id: string, words: string, shows: ReactNode];

/** A long page in parts, with a second navigation: the part that the address names, else the first. */
export function Parts({ label, of }: { label: string; of: readonly (Part | false)[] }) {
  const { search } = useListSearch();
  const parts = of.filter((part) => part !== false);
  const chosen = parts.find(([id]) => id === search['part']) ?? parts[0];
  return (
    <>
      <nav aria-label={label} className="sub-nav">
        {parts.map(([id, words]) => (
          <Link
            key={id}
            to="."
            search={{ part: id, mode: search['mode'] } as never}
            activeOptions={{ explicitUndefined: true }}
            aria-current={chosen?.[0] === id ? 'page' : undefined}
          >
            {words}
          </Link>
        ))}
      </nav>
      {chosen && <Fragment key={chosen[0]}>{chosen[2]}</Fragment>}
    </>
  );
}
