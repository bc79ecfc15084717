import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

/** What a thread is asked: to hash a password, or to compare it with a hash. */
export interface HashJob {
  password: string;
  /** Compared with it when given. */
  passwordHash?: string;
}

type Answer = { result: string | boolean } | { error: string };

/**
 * As text, since a thread cannot load TypeScript, from which tests run. On Linux a priority belongs to
 * a thread: this one takes only the time that the requests of the process leave it. Elsewhere it would
 * be that of the whole process.
 */
const code = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { hashSync, verifySync } = require(workerData.library);
  if (process.platform === 'linux') require('node:os').setPriority(0, workerData.niceness);
  parentPort.on('message', ({ password, passwordHash }) => {
    try {
      const result = passwordHash === undefined
        ? hashSync(password, workerData.cost)
        : verifySync(passwordHash, password);
      parentPort.postMessage({ result });
    } catch (error) {
      parentPort.postMessage({ error: String(error && error.message) });
    }
  });
`;

const niceness = 10;
const idleMs = 30_000;

export interface HashThreads {
  run(job: HashJob): Promise<string | boolean>;
}

/**
 * Threads for what takes a core, made on demand and ended when nothing was asked for a while; the
 * caller bounds how many jobs run at once.
 */
export function createHashThreads(cost: Options): HashThreads {
  const idle: { thread: Worker; end: NodeJS.Timeout }[] = [];
  const library = require.resolve('@node-rs/argon2');
  const open = (): Worker =>
    new Worker(code, { eval: true, workerData: { library, cost, niceness } });

  const take = (): Worker => {
    const last = idle.pop();
    if (!last) return open();
    clearTimeout(last.end);
    return last.thread;
  };
  const giveBack = (thread: Worker): void => {
    const end = setTimeout(() => {
      idle.splice(idle.indexOf(rested), 1);
      void thread.terminate();
    }, idleMs).unref();
    const rested = { thread, end };
    idle.push(rested);
  };

  return {
    async run(job) {
      const thread = take();
      // Only work keeps the process alive.
      thread.ref();
      const answer = await ask(thread, job);
      thread.unref();
      giveBack(thread);
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
  };
}

/** Rejects when the thread ends, which is then left to itself. */
function ask(thread: Worker, job: HashJob): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      thread.off('message', onMessage);
      thread.off('error', onError);
      thread.off('exit', onExit);
      end();
    };
    const onMessage = (answer: Answer): void => settle(() => resolve(answer));
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (): void => onError(new Error('a thread that hashes passwords ended'));
    thread.once('message', onMessage);
    thread.once('error', onError);
    thread.once('exit', onExit);
    thread.postMessage(job);
  });
}
