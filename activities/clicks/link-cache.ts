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

const rememberedMs = 60_000;

/** `most`: how many links one process remembers. */
export function createReferralCache(db: Db, most: number): ReferralCache {
  const remembered = new LRUCache<string, { linkId: string; until: number }>({ max: most });

  const remember = (asked: Asked, linkId: string): void => {
    remembered.set(keyOf(asked), { linkId, until: performance.now() + rememberedMs });
  };

  return {
    assume: remember,

    known(asked) {
      const key = keyOf(asked);
      const entry = remembered.get(key);
      if (!entry) return undefined;
      if (entry.until > performance.now()) return entry.linkId;
      remembered.delete(key);
      return undefined;
    },

    async find(asked) {
      const referral = await resolveReferralToken(db, asked.scope, asked.ref);
      if (!referral || referral.erased) {
        remembered.delete(keyOf(asked));
        return undefined;
      }
      remember(asked, referral.linkId);
      return referral.linkId;
    },
  };
}

function keyOf({ scope, ref }: Asked): string {
  return `${scope.workspaceId}:${scope.mode}:${referralTokenKey(ref)}`;
}
