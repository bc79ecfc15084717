import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import {
  copyExample,
  type Overlay,
  type PodSpec,
  type Resource,
} from '../support/manifests/render';
import { book } from '../support/manifests/book';
import { runToEnd, startPod, valuesOf, type Cluster, type Pod } from '../support/manifests/pods';
import { checkOutNextRelease } from '../support/operate/checkouts';
import { apsIn, layOutImage } from '../support/stack/image';
import { buildService } from '../support/stack/service-process';

jest.setTimeout(600_000);

const name = `rendered_${process.pid}`;
const digests = { first: `sha256:${'1'.repeat(64)}`, next: `sha256:${'2'.repeat(64)}` };

let folder: string;
let overlay: Overlay;
let secrets: Cluster['values'];
const pods = new Map<string, Pod>();
const imageOf = (digest: string): string =>
  path.join(folder, digest === digests.next ? 'image-next' : 'image');

beforeAll(async () => {
  buildService();
  folder = mkdtempSync(path.join(tmpdir(), 'manifests-'));
  execFileSync('chmod', ['755', folder]);
  layOutImage(path.join(folder, 'image'));
  await checkOutNextRelease(path.join(folder, 'next'));
  layOutImage(path.join(folder, 'image-next'), path.join(folder, 'next'));
  await asAdmin(`CREATE DATABASE ${name}`);
  overlay = copyExample(path.join(folder, 'kubernetes'), {
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    TEMPORAL_NAMESPACE: name,
    SHUTDOWN_DELAY_MS: '500',
  });
  secrets = makeSecrets();
});
afterAll(async () => {
  for (const pod of pods.values()) pod.kill();
  await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
  await asAdmin(`DROP ROLE IF EXISTS ${name}`);
  rmSync(folder, { recursive: true, force: true });
});

async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function columnsOfTheNext(): Promise<number> {
  const client = new Client({
    connectionString: secrets['affiliate-owner']?.['DATABASE_OWNER_URL'],
  });
  await client.connect();
  const { rowCount } = await client.query(
    `SELECT 1 FROM information_schema.columns
      WHERE table_name = 'commissions' AND column_name = 'written_by'`,
  );
  await client.end();
  return rowCount ?? 0;
}

/** Makes the secrets as the book says, and as the comment above common/config.yaml lists what belongs into each. */
function makeSecrets(): Cluster['values'] {
  const aps = `'${process.execPath}' '${apsIn(imageOf(digests.first))}'`;
  execFileSync('sh', ['-ec', book.secretsWith(aps)], { cwd: folder });
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  const serving = new URL(url);
  [serving.username, serving.password] = [name, 'of-the-processes'];
  // What an operator writes by hand.
  const own: Record<string, Record<string, string>> = {
    'affiliate-secrets': {
      DATABASE_URL: serving.toString(),
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
    'affiliate-owner': { DATABASE_OWNER_URL: url.toString() },
  };
  const made = book.secretFiles.map(({ secret, file }) => {
    const from = path.join(folder, file);
    const lines = existsSync(from) ? readFileSync(from, 'utf8').trim().split('\n') : [];
    // The lines are read as `kubectl create secret --from-env-file` reads them.
    const values = lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]);
    return [secret, { ...Object.fromEntries(values), ...own[secret] }] as const;
  });
  return Object.fromEntries(made) as Cluster['values'];
}

it('the cluster has the secrets that the config map lists, and in each what it says', () => {
  const listed = readFileSync(path.join(folder, 'kubernetes/common/config.yaml'), 'utf8');
  const optional = ['TEMPORAL_API_KEY', 'EMAIL_WEBHOOK_SECRET'];
  const said = [...listed.matchAll(/^# - ([\w-]+), of [^:]+: ([^\n]+(?:\n# {3}[^\n]+)*)/gm)].map(
    ([, secret = '', text = '']) => [
      secret,
      (text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])
        .filter((each) => !optional.includes(each))
        .sort(),
    ],
  );
  const made = Object.entries(secrets).map(([secret, values]) => [
    secret,
    Object.keys(values).sort(),
  ]);
  expect(made).toEqual(said);
});

const specOf = (resources: readonly Resource[], kind: string, of: string): PodSpec => {
  const spec = resources.find((one) => one.kind === kind && one.metadata.name === of)?.spec;
  const pod = spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;
  if (!pod) throw new Error(`${kind} ${of} is not rendered`);
  return pod;
};

/** `kubectl apply -k ours/deploy`, and until the job is complete. */
async function deploy(): Promise<string> {
  const resources = await overlay.render('deploy');
  const cluster = { values: valuesOf(resources, secrets), imageOf };
  return runToEnd(specOf(resources, 'Job', 'deploy'), cluster);
}

/** `kubectl apply -k ours/serve`, role by role: each comes before the former one goes, which is asked to. */
async function serve(roles: readonly string[]): Promise<void> {
  const resources = await overlay.render('serve');
  const cluster = { values: valuesOf(resources, secrets), imageOf };
  for (const role of roles) {
    const coming = await startPod(specOf(resources, 'Deployment', role), cluster);
    const leaving = pods.get(role);
    pods.set(role, coming);
    await leaving?.stop();
  }
}

it('applies each resource once, and before any pod what pods cannot start without', async () => {
  const resources = await overlay.render('serve');
  const roleOf = ({ metadata }: Resource): string => metadata.labels?.['role'] ?? '';
  const byRole = (one: Resource): boolean => book.forward.includes(roleOf(one));
  expect(resources.filter(byRole).map(({ kind }) => kind)).toEqual(
    book.forward.map(() => 'Deployment'),
  );
  expect(resources.filter((one) => !byRole(one)).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      'ServiceAccount',
      'ConfigMap',
      'NetworkPolicy',
      'PersistentVolumeClaim',
    ]),
  );
  expect(book.back.toSorted()).toEqual(book.forward.toSorted());
  expect([book.forward.at(-1), book.back[0]]).toEqual(['api', 'api']);
  expect(book.notRoles.map((names) => names.toSorted())).toEqual(
    [book.forward, book.back].map((names) => names.toSorted()),
  );
});

async function askApi(): Promise<number> {
  const url = `${pods.get('api')?.urlOf('http')}/api/v1/health`;
  // What the ingress adds: the API takes nothing that did not come by HTTPS.
  return (await fetch(url, { headers: { 'X-Forwarded-Proto': 'https' } })).status;
}

it('the API does not serve before the first half of a release', async () => {
  overlay.release(digests.first);
  const resources = await overlay.render('serve');
  const cluster = { values: valuesOf(resources, secrets), imageOf };
  const started = startPod(specOf(resources, 'Deployment', 'api'), cluster);
  await expect(started).rejects.toThrow(/never answered/);
});

it('a version is released: deploy, then all roles, each ready by its probes', async () => {
  await deploy();
  await serve(book.forward);
  expect(await askApi()).toBe(200);
});

it('ships both exports by its CronJobs', async () => {
  const resources = await overlay.render('serve');
  const cluster = { values: valuesOf(resources, secrets), imageOf };
  for (const job of ['erasures', 'audit']) {
    const spec = specOf(resources, 'CronJob', job);
    const [container] = spec.containers;
    // The volume, mounted.
    const exports = mkdtempSync(path.join(folder, 'exports-'));
    execFileSync('chown', ['1000', exports]);
    const command = container?.command.map((word) => (word === '/exports' ? exports : word)) ?? [];
    await runToEnd({ containers: [{ ...container, command } as never] }, cluster);
  }
});

it('releases the next one, whose schema has more, and goes back by the book', async () => {
  overlay.release(digests.next);
  expect(await columnsOfTheNext()).toBe(0);
  await deploy();
  expect(await columnsOfTheNext()).toBe(1);
  expect(await askApi()).toBe(200);
  await serve(book.forward);
  expect(await askApi()).toBe(200);

  overlay.release(digests.first);
  await serve(book.back);
  expect(await askApi()).toBe(200);
  // The schema is deployed again, as compose does on the way back.
  await deploy();
  expect(await columnsOfTheNext()).toBe(1);
  expect(await askApi()).toBe(200);
});
