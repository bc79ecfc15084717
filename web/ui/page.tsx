import { useEffect, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError } from '../session/api-error';
import { text } from '../text/en';
import { formatClock } from './format';

export interface PageProps {
  title: string;
  /** Buttons and links at the heading's right. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${text.product}`;
  }, [title]);
  return (
    <article className="page">
      <header className="page-head">
        <h1>{title}</h1>
        <div className="actions">{actions}</div>
      </header>
      {children}
    </article>
  );
}

export function Section({ title, actions, children }: PageProps) {
  return (
    <section className="section">
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
  const message = error instanceof Error ? error.message : text.networkAway;
  return (
    <div role="alert" className="problem">
      <p>{message}</p>
      {requestId && <p className="fine">{text.requestId(requestId)}</p>}
      {retry && (
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
  return (
    <p role="status" className="loading">
      {text.loading}
    </p>
  );
}

/** That what is shown is of before, where it could not be asked for anew. */
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
