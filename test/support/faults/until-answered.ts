import { setTimeout as pause } from 'node:timers/promises';

export interface Answer<B> {
  status: number;
  body: B;
}

/** A client as a merchant would write it: it tries again until it has an answer that counts. */
export async function untilAnswered<B = Record<string, unknown>>(
  url: string,
  request: RequestInit,
  fine: readonly number[],
): Promise<Answer<B>> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(30_000) }).catch(
      () => undefined,
    );
    if (response) {
      const body = (await response.json().catch(() => ({}))) as B;
      if (fine.includes(response.status)) return { status: response.status, body };
      if (response.status !== 503) {
        throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
      }
    }
    await pause(100);
  }
  throw new Error(`${url} was never answered`);
}
