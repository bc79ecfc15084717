import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments, stringify } from 'yaml';

const run = promisify(execFile);
const bases = path.join(__dirname, '../../../operate/kubernetes');

export interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds?: number;
  failureThreshold: number;
}
export interface Container {
  name: string;
  image: string;
  command: string[];
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
}
export interface PodSpec {
  priorityClassName?: string;
  terminationGracePeriodSeconds?: number;
  containers: Container[];
}
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: { template?: { spec: PodSpec }; jobTemplate?: { spec: { template: { spec: PodSpec } } } };
}

export interface Overlay {
  /** Puts a digest where docs/deploying.md says it goes. */
  release(digest: string): void;
  /** Adds a component of those beside the bases to `ours/serve`. */
  add(component: string): void;
  /** What `kubectl apply -k ours/<half>` would send. */
  render(half: 'deploy' | 'serve'): Promise<Resource[]>;
}

interface Common {
  images: { digest: string }[];
  patches: { target: object; patch: string }[];
}

/** `ours`, a copy of the example beside the bases, with values of one's own in the config map. */
export function copyExample(into: string, config: Readonly<Record<string, string>> = {}): Overlay {
  cpSync(bases, into, { recursive: true });
  cpSync(path.join(into, 'example'), path.join(into, 'ours'), { recursive: true });
  const change = (by: (common: Common) => void): void => edit(`${into}/ours/common`, by);
  const own = Object.entries(config).map(([name, value]) => ({
    ...{ op: 'add', path: `/data/${name}` },
    value,
  }));
  change(({ patches }) => {
    const target = { kind: 'ConfigMap', name: 'affiliate-config' };
    if (own.length > 0) patches.push({ target, patch: stringify(own) });
  });
  return {
    release: (digest) =>
      change(({ images }) => {
        for (const image of images) image.digest = digest;
      }),
    add: (component) =>
      edit<{ components: string[] }>(`${into}/ours/serve`, ({ components }) => {
        components.push(`../../optional/${component}`);
      }),
    async render(half) {
      const kustomize = process.env['KUSTOMIZE_BIN'] ?? '';
      const { stdout } = await run(kustomize, ['build', path.join(into, 'ours', half)]);
      return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
    },
  };
}

function edit<T>(folder: string, by: (kustomization: T) => void): void {
  const file = path.join(folder, 'kustomization.yaml');
  const kustomization = parse(readFileSync(file, 'utf8')) as T;
  by(kustomization);
  writeFileSync(file, stringify(kustomization));
}
