import { Session } from 'node:inspector';
import path from 'node:path';
import { GCProfiler } from 'node:v8';
import { attributeCpu, attributeHeap, type CpuNode, type HeapNode, type Shares } from './shares';

/** What a served process did between the start and the end of a look at it. */
export interface Look {
  ms: number;
  /** Bytes by which the heap grew between collections. */
  allocated: number;
  /** Milliseconds in which it stood still for collections. */
  pausedMs: number;
  /** Shares of its time by function and area; only when they were asked for. */
  cpu?: Shares;
  /** Shares of what it allocated. */
  heap?: Shares;
}

export type LookKind = 'collections' | 'cpu' | 'heap';

export interface Order {
  probe: 'begin' | 'end';
  kind: LookKind;
}

interface Running {
  since: number;
  used: number;
  collections: GCProfiler;
  session: Session | undefined;
}

const root = path.join(__dirname, '../..');
const samplingBytes = 16_384;
const samplingUs = 200;

let running: Running | undefined;

// Loaded before the process' own script; the bench speaks to it over the channel of its child.
process.on('message', (order: Order) => {
  if (order.probe === 'begin') void begin(order.kind);
  if (order.probe === 'end') void end(order.kind).then((look) => process.send?.(look));
});
process.channel?.unref();
// A bench that dies leaves no server behind.
process.once('disconnect', () => process.exit());

async function begin(kind: LookKind): Promise<void> {
  const session = kind === 'collections' ? undefined : new Session();
  session?.connect();
  if (kind === 'cpu') {
    await post(session, 'Profiler.enable');
    await post(session, 'Profiler.setSamplingInterval', { interval: samplingUs });
    await post(session, 'Profiler.start');
  }
  if (kind === 'heap') {
    await post(session, 'HeapProfiler.startSampling', {
      samplingInterval: samplingBytes,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  }
  const collections = new GCProfiler();
  collections.start();
  running = { since: performance.now(), used: usedHeap(), collections, session };
}

async function end(kind: LookKind): Promise<Look | undefined> {
  if (!running) return undefined;
  const { since, used, collections, session } = running;
  running = undefined;
  const ms = performance.now() - since;
  const usedNow = usedHeap();
  const { statistics } = collections.stop();
  let [last, allocated, pausedUs] = [used, 0, 0];
  for (const { cost, beforeGC, afterGC } of statistics) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - last);
    last = afterGC.heapStatistics.usedHeapSize;
    pausedUs += cost;
  }
  allocated += Math.max(0, usedNow - last);
  const look: Look = { ms, allocated, pausedMs: pausedUs / 1_000 };
  if (kind === 'cpu') {
    const { profile } = await post<{ profile: CpuProfile }>(session, 'Profiler.stop');
    look.cpu = attributeCpu(profile.nodes, profile.samples, root);
  }
  if (kind === 'heap') {
    const { profile } = await post<{ profile: { head: HeapNode } }>(
      session,
      'HeapProfiler.stopSampling',
    );
    look.heap = attributeHeap(profile.head, root);
  }
  session?.disconnect();
  return look;
}

interface CpuProfile {
  nodes: CpuNode[];
  samples: number[];
}

function usedHeap(): number {
  return process.memoryUsage().heapUsed;
}

function post<T>(session: Session | undefined, method: string, params: object = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    session?.post(method, params, (error: Error | null, result?: object) => {
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}
