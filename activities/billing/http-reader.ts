import type { Biller } from '../../entities/rules/billing/biller';
import type { Json } from '../../entities/rules/billing/json';
import { billerHttpFailure } from '../../runtime/connections/biller-http';
import { BillerAwayError } from './away';
import type { LookupResult } from './reader';

export interface HttpReader {
  /** Undefined for what the biller does not know or the key may not read; throws when it is away. */
  ask(read: string, call: () => Promise<Json>): Promise<Json | undefined>;
  /** What it let the key do, and what not; nothing that was not asked. */
  reads(): Pick<LookupResult, 'refused' | 'answered'>;
}

/** Remembers which permissions the key has and lacks; `pace` goes before each read. */
export function createHttpReader(biller: Biller, pace: () => Promise<void>): HttpReader {
  const answered = new Set<string>();
  const refused = new Set<string>();
  return {
    async ask(read, call) {
      await pace();
      try {
        const answer = await call();
        answered.add(read);
        return answer;
      } catch (error) {
        const failure = billerHttpFailure(error);
        if (failure === 'away') throw new BillerAwayError(biller, error);
        (failure === 'refused' ? refused : answered).add(read);
        return undefined;
      }
    },
    reads: () => ({ refused: [...refused], answered: [...answered] }),
  };
}
