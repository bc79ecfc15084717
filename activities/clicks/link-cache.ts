import { LRUCache } from 'lru-cache';
import type { Scope } from '../../entities/rules/values/mode';
import { referralTokenKey } from '../../entities/rules/partners/referral-code';
import type { Db } from '../../entities/database/sql';
import { resolveReferralToken } from '../partners/referral-tokens';

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
  /** Takes a ref to lead to a link without asking. */
  assume(asked: Asked, linkId: string): void;
  /** Asks the database; undefined when the ref leads nowhere. */
  find(asked: Asked): Promise<string | undefined>;
}

interface Remembered {
  linkId: string;
  /** From then on the next click on it has it looked up again, and does not wait for that. */
  renewedFrom: number;
  until: number;
}

const rememberedMs = 60_000;
/** At random: what became known together is not to be looked up together. */
const renewedAfterMs = { least: 25_000, most: 50_000 };

/** `most`: how many links one process remembers. */
export function createReferralCache(
  db: Db,
  most: number,
  now: () => number = () => performance.now(),
): ReferralCache {
  const remembered = new LRUCache<string, Remembered>({ max: most });

  const remember = (asked: Asked, linkId: string): void => {
    const { least, most: longest } = renewedAfterMs;
    const renewedFrom = now() + least + Math.random() * (longest - least);
    remembered.set(keyOf(asked), { linkId, renewedFrom, until: now() + rememberedMs });
  };

  const find = async (asked: Asked): Promise<string | undefined> => {
    const referral = await resolveReferralToken(db, asked.scope, asked.ref);
    if (!referral || referral.erased) {
      remembered.delete(keyOf(asked));
      return undefined;
    }
    remember(asked, referral.linkId);
    return referral.linkId;
  };

  return {
    assume: remember,
    find,

    known(asked) {
      const entry = remembered.get(keyOf(asked));
      const at = now();
      if (!entry || entry.until <= at) return undefined;
      if (entry.renewedFrom <= at) {
        entry.renewedFrom = entry.until;
        // Where this fails it is known for a while still, and then looked up while a click waits.
        find(asked).catch(() => undefined);
      }
      return entry.linkId;
    },
  };
}

function keyOf({ scope, ref }: Asked): string {
  return `${scope.workspaceId}:${scope.mode}:${referralTokenKey(ref)}`;
}
