import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import type { Arrivals } from '../mail-server';
import type { Target } from './scene';
import { json, type Tenant } from './tenant';

const hanging = '/hang';

/** Notes which sale a webhook is about, by the transaction's id; below /hang it never answers. */
export async function openReceiver(): Promise<Arrivals & { url: string; hangingUrl: string }> {
  const at = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith(hanging)) return void request.resume();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const arrived = performance.now();
      response.end('ok');
      const [, id] =
        /"external_transaction_id":"([^"]+)"/.exec(String(Buffer.concat(chunks))) ?? [];
      if (id !== undefined) at.set(id, arrived);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    at,
    url: `${url}/hook`,
    hangingUrl: `${url}${hanging}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Live endpoints are https; a certificate would measure TLS. */
export async function withoutTls(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`UPDATE webhook_endpoints SET url = replace(url, 'https:', 'http:')`);
  await client.end();
}

/** Gives mallory receivers that never answer; returns what takes them away again. */
export async function hang(
  { api, databaseUrl, mallory, hangingUrl }: Target,
  count: number,
): Promise<() => Promise<void>> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await subscribe(api, mallory, `${hangingUrl}/${n}`));
  await withoutTls(databaseUrl);
  return async () => {
    const headers = { ...json(mallory.token), 'X-Mode': 'live' };
    for (const id of ids)
      await fetch(`${api}/api/v1/webhooks/${id}`, { method: 'DELETE', headers });
  };
}

export async function subscribe(api: string, tenant: Tenant, url: string): Promise<string> {
  const secure = url.replace('http:', 'https:');
  const body = JSON.stringify({ url: secure, events: ['conversion.created'] });
  const headers = { ...json(tenant.token), 'X-Mode': 'live' };
  const response = await fetch(`${api}/api/v1/webhooks`, { method: 'POST', headers, body });
  if (response.status !== 201) throw new Error(`no endpoint: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
