import { LRUCache } from 'lru-cache';
import type { Scope } from '../../entities/rules/values/mode';
import { readingsOf } from '../../entities/rules/clicks/ref';
import type { Db } from '../../entities/database/sql';
import { isRef, resolveReferralToken } from '../partners/referral-tokens';

export interface Asked {
  scope: Scope;
  ref: string;
}

/**
 * Which link a ref leads to. Only found links are remembered, for the insert of a click checks by
 * itself that the link still counts: a new link works at once, a deleted one at most costs a
 * second look-up.
 */
export interface ReferralCache {
  /** The link as far as this process knows, without a look-up. */
  known(asked: Asked): string | undefined;
  /** Asks the database; undefined when the ref leads nowhere. */
  find(asked: Asked): Promise<string | undefined>;
}

/**
 * A link is remembered for a random time between these, so that links that became known together
 * are not looked up together.
 */
const rememberedMs = { min: 35_000, max: 60_000 };

/** `max`: how many links one process remembers. */
export function createReferralCache(
  db: Db,
  max: number,
  perf: { now(): number } = performance,
): ReferralCache {
  const links = new LRUCache<string, string, Asked>({
    max,
    ttl: rememberedMs.max,
    perf,
    ttlResolution: 0,
    // Where a look-up fails, the link is known until its time is over.
    noDeleteOnFetchRejection: true,
    async fetchMethod(_key, _known, { context: { scope, ref }, options }) {
      const { min, max: longest } = rememberedMs;
      options.ttl = min + Math.random() * (longest - min);
      const referral = await resolveReferralToken(db, scope, ref);
      return referral && !referral.erased ? referral.linkId : undefined;
    },
  });

  const findExactly = async (asked: Asked): Promise<string | undefined> => {
    const key = keyOf(asked);
    const linkId = await links.fetch(key, { context: asked, forceRefresh: true });
    if (linkId === undefined) links.delete(key);
    return linkId;
  };

  const find = async ({ scope, ref }: Asked): Promise<string | undefined> => {
    for (const reading of tokensIn(ref)) {
      const linkId = await findExactly({ scope, ref: reading });
      if (linkId !== undefined) return linkId;
    }
    return undefined;
  };

  return {
    find,
    known({ scope, ref }) {
      // The likeliest reading alone: whether it leads nowhere is for the database to say.
      const [reading] = tokensIn(ref);
      if (reading === undefined) return undefined;
      const asked = { scope, ref: reading };
      const key = keyOf(asked);
      const linkId = links.get(key);
      // A link is looked up again in its last ten seconds, and no click waits for that.
      if (linkId !== undefined && links.getRemainingTTL(key) < 10_000) {
        findExactly(asked).catch(() => undefined);
      }
      return linkId;
    },
  };
}

/** The parts of a pasted ref that can be a token, the likeliest first. */
function tokensIn(ref: string): string[] {
  return readingsOf(ref).filter(isRef);
}

function keyOf({ scope, ref }: Asked): string {
  // The ref keeps its case: tokens of old links may differ by case alone.
  return `${scope.workspaceId}:${scope.mode}:${ref}`;
}
