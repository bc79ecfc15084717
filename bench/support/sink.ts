import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimAnyPort } from '../../stack/parts/ports';

export interface SinkStats {
  count: number;
  /** Receipts of what had been received before. */
  repeated: number;
  /** The time of each receipt, by what came and where, in milliseconds of `monotonicMs`. */
  receivedAt: Record<string, number>;
}

export interface Sink {
  origin: string;
  pid: number;
  /** `receivedAt` is empty. */
  stats(): Promise<SinkStats>;
  times(): Promise<SinkStats>;
  reset(): Promise<void>;
  close(): void;
}

/** The same clock in all processes of the machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A receiver in a process of its own. */
export async function startSink(): Promise<Sink> {
  const port = await claimAnyPort();
  const child = spawn(process.execPath, [path.join(__dirname, 'webhook-sink.js')], {
    stdio: 'inherit',
    env: { PATH: process.env['PATH'], PORT: String(port) },
  });
  process.once('exit', () => child.kill());
  const origin = `http://127.0.0.1:${port}`;
  const read = async (where: string): Promise<SinkStats> =>
    (await (await fetch(origin + where)).json()) as SinkStats;
  while (!(await read('/').catch(() => undefined))) await sleep(25);
  return {
    origin,
    pid: child.pid ?? 0,
    stats: () => read('/'),
    times: () => read('/times'),
    reset: async () => void (await read('/reset')),
    close: () => void child.kill(),
  };
}
