import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { claimAnyPort } from '../../../stack/parts/ports';
import { setUpPostgres } from '../../../stack/parts/postgres';
import { launch, type RunningProcess } from '../../../stack/parts/process';
import { until } from '../eventually';

/** Ways in which a server goes: its processes told by the signals of `pg_ctl stop`, or one of them killed. */
export type Stop = 'smart' | 'fast' | 'immediate';

const signals: Readonly<Record<Stop, NodeJS.Signals>> = {
  smart: 'SIGTERM',
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
};

/** A server of one's own, on one port whatever becomes of it. */
export interface StoppablePostgres {
  url: string;
  /** Resolves when it is gone. A smart stop waits for all sessions, and here not for ever. */
  stop(how: Stop): Promise<void>;
  /** Starts it and stops it at once, before or soon after it answers. */
  flap(how: Stop, afterMs: number): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Kills the server's process of one session: the server then ends all others, and recovers. */
  crash(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export async function startStoppablePostgres(dir: string): Promise<StoppablePostgres> {
  const port = await claimAnyPort();
  // A stop at once loses what a disposable server had acknowledged and not written yet: a session that signed in a moment ago.
  const settings = { synchronous_commit: 'on' };
  const options = { dir, port, database: 'affiliate', disposable: true, settings };
  const { url, spec } = await setUpPostgres(options);
  let running: RunningProcess = await launch(spec);

  async function end(how: Stop): Promise<void> {
    process.kill(running.pid, signals[how]);
    if (how === 'smart') {
      const gone = await Promise.race([running.exited, later(1_000)]);
      if (gone === undefined) process.kill(running.pid, signals.fast);
    }
    await running.exited;
  }

  return {
    url,
    stop: end,
    async flap(how, afterMs) {
      running = await launch({ ...spec, isReady: () => Promise.resolve(true) });
      await later(afterMs);
      await end(how);
    },
    async start() {
      running = await launch(spec);
    },
    async crash() {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      const ended = new Promise((resolve) => client.once('end', resolve));
      process.kill(Reflect.get(client, 'processID') as number, 'SIGKILL');
      await ended;
      await until(() => spec.isReady(running.pid));
    },
    // The server stands still first and goes on last: between the two it begins no session that
    // would run on, and takes the leave of none, so that each of those listed can be signalled.
    freeze() {
      process.kill(running.pid, 'SIGSTOP');
      for (const pid of childrenOf(running.pid)) process.kill(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of childrenOf(running.pid)) process.kill(pid, 'SIGCONT');
      process.kill(running.pid, 'SIGCONT');
    },
  };
}

/** Its sessions are processes of their own, in its group or in groups of their own. */
function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
