import { spawn, type ChildProcess } from 'node:child_process';
import type { Options } from '@node-rs/argon2';
import { AppError } from '../../entities/errors';
import { yieldToOthers } from '../process/priority';

/** What a process is asked: to hash a password, or to compare it with a hash. */
export interface HashJob {
  password: string;
  /** Compared with it when given. */
  passwordHash?: string;
}

type Answer = { result: string | boolean } | { error: string };

/** As text, since a process of its own cannot load TypeScript, from which tests run. */
const code = `
  process.title = 'affiliate: passwords';
  const [library, cost] = JSON.parse(process.argv[1]);
  const { hashSync, verifySync } = require(library);
  process.on('message', ({ password, passwordHash }) => {
    try {
      const result = passwordHash === undefined
        ? hashSync(password, cost)
        : verifySync(passwordHash, password);
      process.send({ result });
    } catch (error) {
      process.send({ error: String(error && error.message) });
    }
  });
  process.once('disconnect', () => process.exit());
`;

const niceness = 10;
const idleMs = 30_000;

export interface HashProcesses {
  /** SERVICE_UNAVAILABLE when no process can be had. */
  run(job: HashJob): Promise<string | boolean>;
}

/**
 * Processes for what takes a core, made on demand and ended when nothing was asked for a while; the
 * caller bounds how many jobs run at once. A thread of the service, however nice, would share in what
 * the service gets of a machine: a process of its own takes what all others leave.
 */
export function createHashProcesses(cost: Options): HashProcesses {
  const idle: HashProcess[] = [];
  const forget = (ended: HashProcess): void => {
    const index = idle.indexOf(ended);
    if (index >= 0) idle.splice(index, 1);
  };

  const ask = async (job: HashJob): Promise<Answer> => {
    const free = idle.pop() ?? new HashProcess(open(cost), forget);
    const answer = await free.ask(job);
    idle.push(free);
    free.rest();
    return answer;
  };

  return {
    async run(job) {
      // One that is killed takes its job with it: another one does it.
      const answer = await ask(job)
        .catch(() => ask(job))
        .catch(() => {
          throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });
        });
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
  };
}

function open(cost: Options): ChildProcess {
  const library = require.resolve('@node-rs/argon2');
  const child = spawn(process.execPath, ['-e', code, JSON.stringify([library, cost])], {
    // A session of its own, since cores are shared among sessions. It ends with its channel.
    detached: true,
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (child.pid !== undefined) void yieldToOthers(child.pid, niceness);
  return child;
}

interface Question {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A process that answers one job after the other. One that ends, busy or idle, is left to itself. */
class HashProcess {
  private question: Question | undefined;
  private end: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly onEnd: (ended: HashProcess) => void,
  ) {
    child.on('message', (answer: Answer) => this.question?.resolve(answer));
    child.on('error', (error: Error) => this.fail(error));
    child.on('exit', () => this.fail(new Error('a process that hashes passwords ended')));
    child.unref();
  }

  ask(job: HashJob): Promise<Answer> {
    clearTimeout(this.end);
    // Only work keeps the service alive.
    this.child.channel?.ref();
    return new Promise((resolve, reject) => {
      this.question = { resolve, reject };
      this.child.send(job);
    });
  }

  rest(): void {
    this.question = undefined;
    this.child.channel?.unref();
    this.end = setTimeout(() => {
      this.onEnd(this);
      this.child.disconnect();
    }, idleMs).unref();
  }

  private fail(error: Error): void {
    clearTimeout(this.end);
    this.onEnd(this);
    this.question?.reject(error);
  }
}
