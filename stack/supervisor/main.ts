import { seedDemo, type Demo } from '../demo/seed';
import { endLeftovers } from '../parts/children';
import { startShop } from '../shop/server';
import { currencyOfKey, publicKeyOfLink } from '../shop/whose-link';
import { infoFile, PROCESS_NAMES, removeInfo, writeInfo, type StackInfo } from './info';
import { takeLock } from './lock';
import { showWarnings } from './log-tail';
import { partTasks, type PartAddresses } from './parts';
import { choosePorts, type Ports } from './ports';
import { withPrivateApi } from './private-api';
import { apiSpec, serviceAddresses, workerSpec } from './services';
import { readSettings, type StackSettings } from './settings';
import { createStack, type Stack } from './stack';
import { summaryOf } from './summary';

interface Task {
  title: string;
  run: () => Promise<string | undefined>;
}

type RunTasks = (tasks: Task[]) => Promise<void>;

/** Brings everything up, keeps it up, and at a signal stops it again; answers when nothing is left. */
export async function runStack(runTasks: RunTasks): Promise<void> {
  const settings = readSettings(process.env);
  const unlock = takeLock(settings.stackDir);
  const stack = createStack(settings.stackDir);
  const ended = stopAtSignal(stack);
  try {
    await bringUp(stack, settings, runTasks);
    await ended;
  } catch (error) {
    if (!stack.signal.aborted) throw error;
  } finally {
    removeInfo(settings.stackDir);
    await stack.stop();
    unlock();
  }
  console.log('Stopped.');
  process.exit(0);
}

async function bringUp(stack: Stack, settings: StackSettings, runTasks: RunTasks): Promise<void> {
  removeInfo(settings.stackDir);
  const leftovers = await endLeftovers(settings.stackDir);
  if (leftovers.length > 0)
    console.log(`Ended what an earlier start left: ${leftovers.join(', ')}`);

  const ports = await choosePorts(settings.stackDir, settings.fixedPorts);
  const parts = await startParts(stack, settings, { ports, runTasks });
  const started: StartedDemo = { demo: null };
  await runTasks([
    ...serviceTasks(stack, settings, { ports, parts }),
    ...demoTasks(stack, settings, { ports, parts, started }),
  ]);
  const { demo, shopUrl } = started;

  const info = (): StackInfo => ({
    ...serviceAddresses(settings, ports),
    docsUrl: `${serviceAddresses(settings, ports).apiUrl}/api/docs`,
    temporalUiUrl: parts.temporalUiUrl,
    temporalAddress: parts.temporalAddress,
    mailUrl: parts.mailUrl,
    databaseUrl: parts.databaseUrl,
    redisUrl: parts.redisUrl,
    processes: pidsOf(stack),
    demo,
  });
  const write = (): void => {
    if (!stack.signal.aborted) writeInfo(settings.stackDir, info());
  };
  stack.onChange(write);
  write();
  console.log(summaryOf(info(), shopUrl));
  console.log(`All of this stands in ${infoFile(settings.stackDir)}`);
}

async function startParts(
  stack: Stack,
  settings: StackSettings,
  { ports, runTasks }: { ports: Ports; runTasks: RunTasks },
): Promise<PartAddresses> {
  const found: Partial<PartAddresses> = {};
  await runTasks(partTasks(stack, settings, { ports, found }));
  return found as PartAddresses;
}

function serviceTasks(
  stack: Stack,
  settings: StackSettings,
  { ports, parts }: { ports: Ports; parts: PartAddresses },
): Task[] {
  const specs = [apiSpec(settings, ports, parts), workerSpec(settings, ports, parts)];
  return specs.map((spec) => ({
    title: spec.name === 'api' ? 'API' : 'Worker',
    run: async () => {
      const hide = showWarnings(spec.name, spec.logFile);
      stack.onStop(async () => hide());
      await stack.keep(spec);
      return spec.name === 'api' ? serviceAddresses(settings, ports).apiUrl : undefined;
    },
  }));
}

interface StartedDemo {
  demo: Demo | null;
  shopUrl?: string;
}

/** Seeds by an API of its own: the demo has to come up whatever the limits are, and leave them whole. */
function demoTasks(
  stack: Stack,
  settings: StackSettings,
  { ports, parts, started }: { ports: Ports; parts: PartAddresses; started: StartedDemo },
): Task[] {
  if (!settings.hasDemo) return [];
  const { stackDir } = settings;
  const { signal } = stack;
  const shopUrl = `http://127.0.0.1:${ports.shop}`;
  const run = async (): Promise<string> => {
    const demo = await withPrivateApi(settings, { ports, parts, signal }, (apiUrl) =>
      seedDemo({ apiUrl, shopUrl, stackDir, signal }),
    );
    const { apiUrl } = serviceAddresses(settings, ports);
    const keys = { publicKey: demo.keys.test.public, secretKey: demo.keys.test.secret };
    const shop = await startShop({
      ...{ port: ports.shop, apiUrl, ...keys },
      keyOfLink: (ref) => publicKeyOfLink(parts.databaseUrl, { ref, own: keys.publicKey }),
      currencyOf: (publicKey) => currencyOfKey(parts.databaseUrl, publicKey),
    });
    stack.onStop(shop.stop);
    Object.assign(started, { demo, shopUrl });
    return shopUrl;
  };
  return [{ title: 'Demo', run }];
}

function pidsOf(stack: Stack): StackInfo['processes'] {
  return Object.fromEntries(
    PROCESS_NAMES.flatMap((name) => {
      const pid = stack.pids.get(name);
      return pid === undefined ? [] : [[name, pid]];
    }),
  );
}

/** Repeated signals change nothing: Ctrl-C reaches npm and us, and npm passes it on. */
function stopAtSignal(stack: Stack): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      if (!stack.signal.aborted) console.log('\nStopping…');
      stack.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
    whenParentDies(end);
  });
}

/** A killed npm cannot pass a signal on, and the stack would run on unseen. */
function whenParentDies(listener: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, 1_000);
  timer.unref();
}
