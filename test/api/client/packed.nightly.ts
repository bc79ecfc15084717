import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { claimAnyPort } from '../../../stack/parts/ports';
import { startTestApp, type TestApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { until } from '../../support/eventually';
import { npm, packedClient } from '../../support/packed-client';

const root = path.join(__dirname, '../../..');
const examples = path.join(root, 'docs/integrate');

/** Next.js is half as large as all that this service installs: it comes at night only. */
const nextVersion = '16.4.6';
const { devDependencies, dependencies } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
) as Record<'devDependencies' | 'dependencies', Record<string, string>>;

let app: TestApp;
let folder: string;
let project: string;

beforeAll(async () => {
  app = await startTestApp();
  folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
  project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}');
  const versions: Record<string, string> = { ...devDependencies, ...dependencies };
  versions['next'] = nextVersion;
  const frameworks = ['express', 'koa', 'react', 'react-dom', 'stripe', 'next'].map(
    (name) => `${name}@${versions[name]}`,
  );
  // Two more frameworks: body-parser 1, which leaves {} of what it does not read, and a parser that keeps the bytes.
  frameworks.push('express4@npm:express@4.21.2', 'koa-bodyparser@4.4.1');
  npm(['install', packedClient().tarball, ...frameworks], project);
  cpSync(path.join(__dirname, 'packed-visitor.mjs'), path.join(project, 'visitor.mjs'));
  cpSync(examples, path.join(project, 'examples'), { recursive: true });
  buildSite(path.join(project, 'site'));
}, 300_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app.close();
}, 120_000);

/** A site of Next.js: the guide's layout, page and webhook. */
function buildSite(site: string): void {
  const take = (name: string, target: string): void =>
    cpSync(path.join(examples, name), path.join(site, target));
  take('nextjs-layout.jsx', 'app/layout.jsx');
  take('nextjs-buy-button.jsx', 'app/buy-button.jsx');
  take('nextjs-webhook.mjs', 'app/webhooks/route.js');
  mkdirSync(path.join(site, 'lib'));
  writeFileSync(
    path.join(site, 'lib/book.js'),
    'export const book = (id, commission) => globalThis.booked.push(commission.status);',
  );
}

/** A Node of this version, as npm installs it. */
function nodeOf(version: string): string {
  const place = path.join(folder, `node-${version}`);
  mkdirSync(place);
  writeFileSync(path.join(place, 'package.json'), '{"private":true}');
  npm(['install', `node@${version}`], place);
  return path.join(place, 'node_modules/node/bin/node');
}

it.each(['20', '22', '24'])(
  'the packed package, under Node %s, with the real frameworks',
  async (version) => {
    const db = app.deps.db.manager;
    const { key: secretKey, workspaceId } = await buildApiKey(db, { mode: 'test' });
    const { key: managementKey } = await buildApiKey(db, {
      ...{ workspaceId, mode: 'test', kind: 'management', role: 'admin' },
    });
    const program = await buildProgram(db, { workspaceId, mode: 'test' });
    const { code: promoCode } = await buildPromoCode(db, await buildParticipant(db, { program }));

    const keys = JSON.stringify({ apiUrl: app.url, secretKey, managementKey, promoCode });
    const { stdout } = await promisify(execFile)(nodeOf(version), ['visitor.mjs', keys], {
      cwd: project,
      env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
    });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      node: version,
      sale: { attributed: true, again: 'CONVERSION_DUPLICATE', isListed: true },
      express: [400, 204, 204],
      koa: [400, 204, 204],
      express4: [400, 204, 204],
      parsedKoa: [400, 204, 204],
      next: [400, 204, 204],
      // Twice by each of the first four, which book pings too; the guide's for Next.js does not.
      booked: [...Array<string>(8).fill('commission.approved'), 'approved'],
      stripe: 'c-1',
      react: '<p>none</p>',
    });
  },
  180_000,
);

/** A Stripe that notes what a session was made with. */
async function listenForSessions() {
  const sessions: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      sessions.push(new URLSearchParams(body));
      response.setHeader('Content-Type', 'application/json');
      response.end('{"id":"cs_test_1","object":"checkout.session","url":"https://pay.example/1"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { sessions, server, port: (server.address() as AddressInfo).port };
}

it('examples/nextjs-stripe: the tag on its page, and the click in the metadata of the session', async () => {
  const shop = path.join(project, 'shop');
  cpSync(path.join(root, 'examples/nextjs-stripe/app'), path.join(shop, 'app'), {
    recursive: true,
  });
  const stripe = await listenForSessions();
  const port = await claimAnyPort();
  const next = path.join(project, 'node_modules/next/dist/bin/next');
  const site = spawn(process.execPath, [next, 'dev', '--port', String(port)], {
    cwd: shop,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
      ...{ AFFILIATE_API_URL: app.url, AFFILIATE_PUBLIC_KEY: 'pk_test_example' },
      ...{ STRIPE_SECRET_KEY: 'sk_test_example', STRIPE_MOCK_PORT: String(stripe.port) },
    },
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isUp, 120_000);
  const page = await (await fetch(url)).text();
  expect(page).toContain(`${app.url}/v1/selgeo.js`);
  expect(page).toContain('pk_test_example');

  const body = JSON.stringify({ clickId: '01890a5d-ac96-774b-bcce-b302099a8057' });
  const answer = await fetch(`${url}/checkout`, { method: 'POST', body });
  expect(await answer.json()).toEqual({ url: 'https://pay.example/1' });
  const [session] = stripe.sessions;
  expect(session?.get('metadata[aff_click_id]')).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
  expect(session?.get('line_items[0][price_data][unit_amount]')).toBe('2900');
  site.kill();
  stripe.server.close();
}, 300_000);
