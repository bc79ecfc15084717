import { useEffect } from 'react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../session/api-error';
import { text } from '../text/en';
import { Page, Problem } from './page';

/**
 * Loads a page's module. Where it does not come because nobody answers, that is an error of ours: for
 * its own the router loads the address anew, which puts the browser's page of errors in place of
 * everything. Where the service answers, the module is of a release that is gone, and that is right.
 */
export async function whenThere<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (await isThere()) throw cause;
    throw new ApiError(text.networkAway, { status: 0, code: 'NETWORK_ERROR', cause });
  }
}

const isThere = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/** Stands in place of a page that did not load; the page is tried again by itself when the network is back. */
export function NotLoaded({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  });
  return (
    <Page title={text.notLoaded}>
      <Problem error={error} retry={retry} />
    </Page>
  );
}
