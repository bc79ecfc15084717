import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { copyExample, type Resource } from '../support/manifests/render';

const folder = mkdtempSync(path.join(tmpdir(), 'manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));
const schemas = process.env['KUBERNETES_SCHEMAS'] ?? '';

const read = (name: string): object =>
  JSON.parse(readFileSync(path.join(schemas, name), 'utf8')) as object;

/** `apps/v1` Deployment -> deployment-apps-v1.json, and v1 Service -> service-v1.json. */
function fileOf({ kind, apiVersion }: Pick<Resource, 'kind' | 'apiVersion'>): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const parts = [kind.toLowerCase(), group.split('.')[0], version].filter(Boolean);
  return `${parts.join('-')}.json`;
}

/** What Kubernetes says of a resource, strictly: no field that it does not know. */
function complaints(resource: Resource): unknown {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  ajv.addSchema(read('_definitions.json'), '_definitions.json');
  const validate = ajv.compile(read(fileOf(resource)));
  validate(resource);
  return validate.errors ?? [];
}

describe.each(['deploy', 'serve'] as const)('example/%s', (half) => {
  it('renders to what Kubernetes takes, in its namespace, by the digest', async () => {
    const overlay = copyExample(path.join(folder, half));
    const digest = `sha256:${'a1'.repeat(32)}`;
    overlay.release(digest);
    const resources = await overlay.render(half);
    expect(resources.length).toBeGreaterThan(2);
    for (const resource of resources) {
      const { kind, metadata } = resource;
      expect([fileOf(resource), existsSync(path.join(schemas, fileOf(resource)))]).toEqual([
        fileOf(resource),
        true,
      ]);
      expect([kind, metadata.name, complaints(resource)]).toEqual([kind, metadata.name, []]);
      expect([kind, metadata.namespace]).toEqual([
        kind,
        kind === 'Namespace' ? undefined : 'affiliate',
      ]);
    }
    const images = JSON.stringify(resources).match(/"image":"[^"]+"/g) ?? [];
    expect(new Set(images)).toEqual(
      new Set([`"image":"registry.example.com/affiliate@${digest}"`]),
    );
  });
});

it('renders what is optional: a class for what serves, which the cluster has, and a monitor', async () => {
  const overlay = copyExample(path.join(folder, 'optional'));
  for (const component of ['monitor', 'priority']) overlay.add(component);
  const resources = await overlay.render('serve');
  const named = (kind: string): Resource[] => resources.filter((one) => one.kind === kind);
  const [monitor] = named('PodMonitor');
  const [priority] = named('PriorityClass');
  expect([monitor?.metadata.namespace, priority?.metadata.namespace]).toEqual([
    'affiliate',
    undefined,
  ]);
  expect([priority, ...named('Deployment')].map((one) => one && complaints(one))).toEqual(
    Array.from({ length: 5 }, () => []),
  );
  for (const { spec } of resources) {
    const pod = spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;
    const isServing = spec?.template !== undefined;
    expect(pod?.priorityClassName).toBe(isServing ? priority?.metadata.name : undefined);
  }
});

it('finds a field that Kubernetes does not know', async () => {
  const [namespace] = await copyExample(path.join(folder, 'wrong')).render('deploy');
  const wrong = { ...namespace, spce: {} } as unknown as Resource;
  expect(complaints(wrong)).not.toEqual([]);
});
