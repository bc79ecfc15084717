import type { Route } from '../../../../api/http/contract/route';
import type { TestApp } from '../../app';
import type { Prepared } from './worlds';

/** Sends what was prepared to an operation, under an Idempotency-Key. */
export async function send(
  app: TestApp,
  { path, method }: Pick<Route, 'path' | 'method'>,
  prepared: Prepared,
  key: string,
) {
  const { by = app.client, ids = {}, query = '', body, headers } = prepared;
  const url = path.replace(/:(\w+)/g, (_match, name: string) => ids[name] ?? name) + query;
  const options = { headers: { ...headers, 'Idempotency-Key': key } };
  switch (method) {
    case 'delete':
      return by.delete(url, { ...options, body });
    case 'put':
      return by.put(url, body, options);
    case 'patch':
      return by.patch(url, body, options);
    default:
      return by.post(url, body, options);
  }
}
