import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { seedDemo } from '../../../stack/demo/seed';
import { startTestParts, TEST_ROLE, type TestEnvironment } from '../../../stack/test-parts';
import { testEnvironment } from '../app';
import { startTcpProxy } from '../faults/tcp-proxy';
import { startSink, type Sink } from '../sink';
import type { ServiceProcess } from '../stack/service-process';
import { startBalancer, type Balancer } from './balancer';
import { checkOutLastRelease, checkOutNextRelease, type Break } from './checkouts';
import type { HeldFrom } from './every-type';
import { openMerchant } from './merchant';
import { startPayPalStandIn, type PayPalStandIn } from '../paypal/stand-in';
import { startSteadySales, type SteadySales } from './steady-sales';
import { fleetOf, type Api, type Fleet } from './two-releases';

const namespace = 'upgrade';

export interface UpgradeStage extends HeldFrom {
  /** Folders of the last release and of the coming one. */
  former: string;
  next: string;
  fleet: Fleet;
  balancer: Balancer;
  db: Postgres;
  /** What serves at the moment. */
  apis: Api[];
  worker: ServiceProcess;
  sales: SteadySales;
  salesSink: Sink;
  mailApiUrl: string;
  /** The setting of both releases, where the last one knows it. */
  paypal: PayPalStandIn;
  /** What every process finds in its environment. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** The last release alone, with two processes of the API and a worker, and sales that come in. */
export async function openUpgradeStage(): Promise<UpgradeStage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'upgrade-'));
  const former = path.join(folder, 'former');
  const next = path.join(folder, 'next');
  await checkOutLastRelease(former);
  await checkOutNextRelease(next, toldToBreak());

  const parts = await startTestParts('all');
  const { databaseUrl, db } = await emptyDatabase(parts.environment);
  const paypal = await startPayPalStandIn();
  const smtp = await startTcpProxy(addressOf(parts.environment.TEST_SMTP_URL));
  Object.assign(process.env, parts.environment, { TEST_SERVING_ROLE: TEST_ROLE });
  const environment = {
    ...testEnvironment(databaseUrl),
    TEMPORAL_NAMESPACE: namespace,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: '20',
    SHUTDOWN_DELAY_MS: '1000',
    // An erasure reads its copies again after this time.
    WEBHOOK_TIMEOUT_MS: '1000',
    WEBHOOK_RETRY_SCHEDULE: '0s,2s,5s,10s,20s,40s,60s',
    PAYPAL_API_BASE: paypal.url,
    PAYOUT_TRY_SCHEDULE: '0s,1s',
    PAYOUT_ASK_SCHEDULE: '1s',
  };
  const fleet = fleetOf(environment, databaseUrl);
  await fleet.deploy(former);
  const [one, two, worker] = await Promise.all([
    fleet.startApi(former),
    fleet.startApi(former),
    fleet.startWorker(former),
  ]);
  const balancer = startBalancer();
  await balancer.add(one);
  await balancer.add(two);

  const demo = await seedDemo({
    apiUrl: one.url,
    shopUrl: 'https://shop.example',
    stackDir: folder,
    signal: AbortSignal.timeout(60_000),
  });
  const salesSink = await startSink();
  const sink = await startSink();
  const urls = { sales: salesSink.url, approvals: sink.url };
  const merchant = await openMerchant(balancer, demo, urls);
  const address = parts.environment.TEST_TEMPORAL_ADDRESS ?? '';
  const connection = await Connection.connect({ address });
  const shop = { key: demo.keys.test.secret, promoCode: demo.promoCode };

  const stage: UpgradeStage = {
    former,
    next,
    fleet,
    balancer,
    db,
    apis: [one, two],
    worker,
    merchant,
    databaseUrl,
    sink,
    smtp,
    salesSink,
    paypal,
    environment,
    mailApiUrl: parts.environment.TEST_MAIL_API_URL ?? '',
    temporal: new Client({ connection, namespace }),
    sales: startSteadySales(balancer, shop),
    async close() {
      await stage.sales.stop();
      await Promise.all([...stage.apis, stage.worker].map((each) => each.stop()));
      await Promise.all([balancer.close(), sink.close(), salesSink.close(), smtp.close()]);
      await paypal.close();
      await Promise.all([connection.close(), db.end()]);
      await parts.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return stage;
}

function toldToBreak(): Break | undefined {
  const what = process.env['UPGRADE_BREAKS'];
  if (!what) return undefined;
  if (what === 'workflows' || what === 'schema') return what;
  throw new Error(`UPGRADE_BREAKS is workflows or schema, not ${what}`);
}

/** A database without a schema: that is made by the release. */
async function emptyDatabase({
  TEST_DATABASE_URL = '',
}: TestEnvironment): Promise<{ databaseUrl: string; db: Postgres }> {
  const admin = new Postgres({ connectionString: TEST_DATABASE_URL });
  await admin.connect();
  await admin.query('CREATE DATABASE upgrade');
  await admin.end();
  const url = new URL(TEST_DATABASE_URL);
  url.pathname = '/upgrade';
  const databaseUrl = url.toString();
  const db = new Postgres({ connectionString: databaseUrl });
  await db.connect();
  return { databaseUrl, db };
}

function addressOf(url = ''): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
