import { newId, uuidTime } from '../../entities/ids';
import { longestAddress, longestUserAgent, storableText } from '../../entities/rules/clicks/click';
import type { Scope } from '../../entities/rules/values/mode';
import { isKnownBot } from './bots';
import { createClickBatcher } from './store';
import { createLimitAndRepeat, type Entry, type Reservation } from './limit-and-repeat';
import { createReferralCache, type Asked } from './link-cache';
import type { Deps } from '../runtime/process/deps';
import { newVisitor, readVisitor, type Visitor } from './visitor-tokens';

/** What a browser reports. */
export interface Visit {
  scope: Scope;
  ref: string;
  url: string | null;
  referrer: string | null;
  visitorToken: string | null;
  userAgent: string | null;
  /** The visitor's address; only its keyed hash is stored. */
  ip: string;
  now: Date;
}

export type ClickOutcome =
  | {
      recorded: true;
      /** False for a repeat within 30 minutes: it has the id of the first. */
      created: boolean;
      clickId: string;
      visitorToken: string;
      expiresAt: Date;
    }
  | { recorded: false; reason: 'unknown_ref' | 'bot' };

/** A visit on its way, as far as it is known before the request is counted. */
export interface Arrival extends Entry {
  visitor: Visitor | undefined;
  reservation: Reservation | undefined;
}

export interface ClickRecorder {
  /**
   * Counts the request of a key. With a visit whose ref this process knows, the same round trip
   * finds the click that it repeats. `visit` is left out for a request that is refused anyway.
   */
  arrive(apiKeyId: string, visit?: Visit): Promise<Arrival>;
  /** Stores the click; when this resolves it is committed and usable by a conversion. */
  record(visit: Visit, arrival: Arrival): Promise<ClickOutcome>;
  /** Takes a ref to lead to a link, until a click on it finds that it does not: for the warm-up. */
  assume(asked: Asked, linkId: string): void;
}

const unknownRef: ClickOutcome = { recorded: false, reason: 'unknown_ref' };

/** One per process: it holds the batches, the limits and what was looked up lately. */
export function createClickRecorder(
  deps: Pick<Deps, 'db' | 'redis' | 'vault' | 'config'>,
): ClickRecorder {
  const { vault } = deps;
  const links = createReferralCache(deps.db.manager, deps.config.cachedLinks);
  const gate = createLimitAndRepeat(deps.redis, deps.config.limits.tracking);
  const batcher = createClickBatcher(deps.db.manager);

  const visitorOf = ({ scope, visitorToken }: Visit): Visitor =>
    readVisitor(vault, scope, visitorToken) ?? newVisitor(vault, scope);

  const store = async (
    visit: Visit,
    visitor: Visitor,
    clickId: string,
    reservation: Reservation,
  ) => {
    const stored = await batcher.submit({
      id: clickId,
      createdAt: uuidTime(clickId),
      linkId: reservation.linkId,
      visitorId: visitor.id,
      url: storableText(visit.url, longestAddress),
      referrer: storableText(visit.referrer, longestAddress),
      userAgent: storableText(visit.userAgent, longestUserAgent),
      ipHash: visit.ip === '' ? null : vault.ipHashes(visit.ip).join(' '),
      isRepeat: clickId !== reservation.clickId,
    });
    if (!stored) return undefined;
    const { created, expiresAt } = stored;
    return { recorded: true as const, clickId, visitorToken: visitor.token, created, expiresAt };
  };

  return {
    assume: (asked, linkId) => links.assume(asked, linkId),

    async arrive(apiKeyId, visit) {
      const subject = `key:${apiKeyId}`;
      const linkId = visit && !isKnownBot(visit.userAgent) ? links.known(visit) : undefined;
      if (!visit || linkId === undefined) {
        const { allowance, clickId } = await gate.enter(subject);
        return { allowance, clickId, visitor: undefined, reservation: undefined };
      }
      const visitor = visitorOf(visit);
      const reservation = reserve(visitor, linkId, visit.now);
      const { allowance, clickId } = await gate.enter(subject, reservation);
      return { allowance, clickId, visitor, reservation };
    },

    async record(visit, arrival) {
      if (isKnownBot(visit.userAgent)) return { recorded: false, reason: 'bot' };

      const visitor = arrival.visitor ?? visitorOf(visit);
      if (arrival.reservation && arrival.clickId) {
        const outcome = await store(visit, visitor, arrival.clickId, arrival.reservation);
        if (outcome) return outcome;
        // What this process remembered of the ref is out of date: look it up once more.
      }
      const linkId = await links.find(visit);
      if (linkId === undefined || linkId === arrival.reservation?.linkId) return unknownRef;

      const reservation = reserve(visitor, linkId, visit.now);
      const clickId = await gate.reserve(reservation);
      return (await store(visit, visitor, clickId, reservation)) ?? unknownRef;
    },
  };
}

function reserve(visitor: Visitor, linkId: string, now: Date): Reservation {
  return {
    visitorId: visitor.id,
    linkId,
    clickId: newId(now),
    isReturning: visitor.isReturning,
    now,
  };
}
