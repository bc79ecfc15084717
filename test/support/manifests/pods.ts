import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claimAnyPort } from '../../../stack/parts/ports';
import { canReach } from '../../../stack/parts/service-user';
import { apsIn, imageEnvironment } from '../stack/image';
import type { Container, PodSpec, Probe, Resource } from './render';

/** The user of the image, who owns none of its files. */
const nobody = { uid: 1000, gid: 1000 };

export interface Cluster {
  /** What the config maps and secrets hold, by name. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The folder of the image that a digest names. */
  imageOf(digest: string): string;
}

export interface Pod {
  /** The address of a port of the container, by its name. */
  urlOf(port: string): string;
  output(): string;
  /** SIGTERM; throws when it is still there after the grace period, or ended with another code than 0. */
  stop(): Promise<void>;
  kill(): void;
}

/** Config maps of rendered manifests, beside secrets that somebody made. */
export function valuesOf(
  resources: readonly Resource[],
  secrets: Cluster['values'],
): Cluster['values'] {
  const maps = resources.filter(({ kind }) => kind === 'ConfigMap');
  return {
    ...secrets,
    ...Object.fromEntries(maps.map(({ metadata, data = {} }) => [metadata.name, data])),
  };
}

/** Runs a container that ends, as a job's; what it printed. Throws when it fails. */
export async function runToEnd(spec: PodSpec, cluster: Cluster): Promise<string> {
  const { child, output } = begin(onlyOf(spec), cluster, {});
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`it ended with ${code}:\n${output()}`);
  return output();
}

/** Starts a container with its environment and nothing else, and waits as its probes do. */
export async function startPod(spec: PodSpec, cluster: Cluster): Promise<Pod> {
  const container = onlyOf(spec);
  // Pods have an address each; here all have one, and ports of their own.
  const ports: Record<string, string> = {};
  for (const { name } of container.ports ?? []) ports[name] = String(await claimAnyPort());
  const { child, output } = begin(container, cluster, {
    ...(ports['http'] && { PORT: ports['http'] }),
    ...(ports['admin'] && { ADMIN_PORT: ports['admin'] }),
  });
  const urlOf = (port: string): string => `http://127.0.0.1:${ports[port]}`;
  const pod: Pod = {
    ...{ urlOf, output },
    kill: () => child.kill('SIGKILL'),
    async stop() {
      const ended = once(child, 'close') as Promise<[number | null]>;
      child.kill('SIGTERM');
      const graceMs = (spec.terminationGracePeriodSeconds ?? 30) * 1_000;
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      const [code] = await ended;
      clearTimeout(timer);
      if (code !== 0) throw new Error(`it ended with ${code}:\n${output()}`);
    },
  };
  try {
    for (const probe of [container.startupProbe, container.readinessProbe]) {
      if (probe) await answered(probe, pod, child);
    }
  } catch (error) {
    pod.kill();
    throw error;
  }
  return pod;
}

function onlyOf({ containers }: PodSpec): Container {
  const [container, ...rest] = containers;
  if (!container || rest.length > 0) throw new Error('it has not exactly one container');
  return container;
}

function begin(container: Container, cluster: Cluster, own: Record<string, string>) {
  const [, digest = ''] = container.image.split('@');
  const image = cluster.imageOf(digest);
  const env = { PATH: process.env['PATH'] ?? '', ...environmentOf(container, cluster), ...own };
  const [program = '', ...args] = container.command;
  // /app is where the image's commands begin.
  const command = program === 'aps' ? [apsIn(image), ...args] : args;
  const asNobody = process.getuid?.() === 0 && canReach(nobody, image) ? nobody : {};
  const child = spawn(nodeBeside(image), command, { env, cwd: image, ...asNobody });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  return { child, output: () => said };
}

/** This Node.js, or a copy of it where the image's user does not get to it. */
function nodeBeside(image: string): string {
  if (process.getuid?.() !== 0 || canReach(nobody, path.dirname(process.execPath))) {
    return process.execPath;
  }
  const copy = path.join(path.dirname(image), 'node');
  if (!existsSync(copy)) copyFileSync(process.execPath, copy);
  return copy;
}

/** The later one wins, as in Kubernetes. A name that nobody made keeps a container from starting. */
function environmentOf({ env = [], envFrom = [] }: Container, { values }: Cluster) {
  const given = envFrom.map(({ configMapRef, secretRef }) => {
    const name = (configMapRef ?? secretRef)?.name ?? '';
    const found = values[name];
    if (!found) throw new Error(`nobody has made ${name}`);
    return found;
  });
  return Object.assign(
    imageEnvironment(),
    ...given,
    Object.fromEntries(env.map(({ name, value }) => [name, value])),
  ) as Record<string, string>;
}

/** Probes as the kubelet does; but one that is slow on a busy machine has three times as long. */
async function answered(probe: Probe, pod: Pod, child: ChildProcess): Promise<void> {
  const url = `${pod.urlOf(probe.httpGet.port)}${probe.httpGet.path}`;
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1_000;
  const attempts = Math.max(probe.failureThreshold, 30) * 3;
  for (let attempt = 0; attempt < attempts && child.exitCode === null; attempt += 1) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await pause(probe.periodSeconds * 1_000);
  }
  throw new Error(`${url} never answered:\n${pod.output()}`);
}
