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
  const { getPriority, setPriority } = require('node:os');
  if (process.platform === 'linux') {
    try {
      // A process may be nicer already, and none may go back.
      setPriority(0, Math.max(getPriority(0), workerData.niceness));
    } catch {
      // It hashes as well without.
    }
  }
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
  const idle: HashThread[] = [];
  const library = require.resolve('@node-rs/argon2');
  const forget = (thread: HashThread): void => {
    const index = idle.indexOf(thread);
    if (index >= 0) idle.splice(index, 1);
  };
  const open = (): HashThread => {
    const workerData = { library, cost, niceness };
    return new HashThread(new Worker(code, { eval: true, workerData }), forget);
  };

  return {
    async run(job) {
      const thread = idle.pop() ?? open();
      const answer = await thread.ask(job);
      idle.push(thread);
      thread.rest();
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
  };
}

interface Question {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A thread that answers one job after the other. One that ends, busy or idle, is left to itself. */
class HashThread {
  private question: Question | undefined;
  private end: NodeJS.Timeout | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly onEnd: (thread: HashThread) => void,
  ) {
    worker.on('message', (answer: Answer) => this.question?.resolve(answer));
    worker.on('error', (error: Error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('a thread that hashes passwords ended')));
  }

  ask(job: HashJob): Promise<Answer> {
    clearTimeout(this.end);
    // Only work keeps the process alive.
    this.worker.ref();
    return new Promise((resolve, reject) => {
      this.question = { resolve, reject };
      this.worker.postMessage(job);
    });
  }

  rest(): void {
    this.question = undefined;
    this.worker.unref();
    this.end = setTimeout(() => {
      this.onEnd(this);
      void this.worker.terminate();
    }, idleMs).unref();
  }

  private fail(error: Error): void {
    clearTimeout(this.end);
    this.onEnd(this);
    this.question?.reject(error);
  }
}
