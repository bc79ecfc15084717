import { Fragment, useEffect, type ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError } from '../session/api-error';
import { text } from '../text/en';
import { formatClock } from './format';
import { FilteredLink } from './link';

export interface PageProps {
  title: string;
  /** Which of them, where the heading says the kind only: what the trail and the tab call it. */
  name?: string | undefined;
  /** Buttons and links at the heading's right. */
  actions?: ReactNode;
  /** The lists above the page, as paths and words, with the part of a page that has several. */
  trail?: readonly (readonly [to: string, words: string, part?: string])[];
  /** A sign before the heading, such as an avatar. */
  sign?: ReactNode;
  /** What stands beside the heading, such as a status. */
  beside?: ReactNode;
  children: ReactNode;
}

export function Page({
  title,
  name = title,
  actions,
  trail = [],
  sign,
  beside,
  children,
}: PageProps) {
  useEffect(() => {
    document.title = `${name} · ${text.product}`;
  }, [name]);
  return (
    <article className="page">
      {trail.length > 0 && (
        <nav aria-label={text.trail} className="trail">
          {trail.map(([to, words, part]) => (
            <Fragment key={to}>
              <FilteredLink to={to} search={{ part }}>
                {words}
              </FilteredLink>
              <ChevronRight size={14} aria-hidden="true" />
            </Fragment>
          ))}
          <span aria-current="page">{name}</span>
        </nav>
      )}
      <header className="page-head">
        <div className="page-title">
          {sign}
          <h1>{title}</h1>
          {beside}
        </div>
        <div className="actions">{actions}</div>
      </header>
      {children}
    </article>
  );
}

type SectionProps = Pick<PageProps, 'title' | 'actions' | 'children'>;

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="section" aria-label={title}>
      <header className="section-head">
        <h2>{title}</h2>
        <div className="actions">{actions}</div>
      </header>
      {children}
    </section>
  );
}

/** What went wrong, in the API's words, and the id by which operators find it. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isGone = error instanceof ApiError && error.status === 404;
  const message = error instanceof Error ? error.message : text.networkAway;
  return (
    <div role="alert" className="problem">
      <p>{message}</p>
      {requestId && <p className="fine">{text.requestId(requestId)}</p>}
      {retry && !isGone && (
        <button type="button" onClick={retry}>
          {text.retry}
        </button>
      )}
    </div>
  );
}

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  children: (value: T) => ReactNode;
}

/** What was asked for, once it is there; meanwhile that it is on its way, or why it is not. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) {
    return (
      <>
        <AsOf query={query} />
        {children(query.data)}
      </>
    );
  }
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}

/** The place of what is on its way. */
export function Loading() {
  return (
    <div role="status" className="skeleton">
      <span className="unseen">{text.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Says that the values shown are old, where new ones could not be asked for. */
function AsOf({ query }: { query: UseQueryResult<unknown> }) {
  if (!query.isRefetchError) return null;
  const { message } = query.error;
  return (
    <p role="status" className="as-of">
      {text.asOf(formatClock(query.dataUpdatedAt))} {message}{' '}
      <button type="button" className="quiet" onClick={() => void query.refetch()}>
        {text.retry}
      </button>
    </p>
  );
}
