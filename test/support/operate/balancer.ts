import { setTimeout as pause } from 'node:timers/promises';

/** A process of the API behind the balancer. */
export interface Backend {
  url: string;
  /** Where its /ready is. */
  adminUrl: string;
}

/** Sends each request to one of those that are ready, in turn, as a load balancer does. */
export interface Balancer {
  add(backend: Backend): Promise<void>;
  /** The answer of whichever takes the connection; `undefined` once one broke that was taken. */
  send(path: string, request: RequestInit): Promise<Response | undefined>;
  close(): Promise<void>;
}

const lookEveryMs = 100;
/** Nothing was sent on it: the next one may be asked. */
const notTaken = ['ECONNREFUSED'];

export function startBalancer(): Balancer {
  const backends: (Backend & { isReady: boolean })[] = [];
  const closing = new AbortController();
  let turn = 0;

  const looking = (async () => {
    while (!closing.signal.aborted) {
      await Promise.all(backends.map(async (one) => (one.isReady = await isReady(one))));
      await pause(lookEveryMs);
    }
  })();

  async function send(path: string, request: RequestInit): Promise<Response | undefined> {
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      const ready = backends.filter((one) => one.isReady);
      const next = ready[turn++ % ready.length];
      if (!next) {
        await pause(lookEveryMs);
        continue;
      }
      try {
        return await fetch(next.url + path, { ...request, signal: AbortSignal.timeout(30_000) });
      } catch (error) {
        if (!notTaken.includes(codeOf(error))) return undefined;
        next.isReady = false;
      }
    }
    return undefined;
  }

  return {
    async add(backend) {
      const added = { ...backend, isReady: false };
      while (!(await isReady(backend))) await pause(lookEveryMs);
      backends.push(Object.assign(added, { isReady: true }));
    },
    send,
    async close() {
      closing.abort();
      await looking;
    },
  };
}

async function isReady({ adminUrl }: Backend): Promise<boolean> {
  const answer = await fetch(`${adminUrl}/ready`).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok === true;
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? '';
}
