import { newId, uuidTime } from '../../entities/ids';
import { longestUserAgent, storableText } from '../../entities/rules/clicks/click';
import { maxUrlLength } from '../../entities/rules/partners/link-target';
import type { Scope } from '../../entities/rules/values/mode';
import { createBotJudge, type BotJudge } from './bots';
import { createClickBatcher } from './store';
import { ClickTally } from './tally';
import { LimitAndRepeat, type Entry, type Reservation } from './limit-and-repeat';
import type { RateLimiter } from '../../runtime/connections/rate-limiter';
import { isPrivateAddress } from './private-address';
import { createReferralCache, type ReferralCache } from './link-cache';
import type { Vault } from '../../runtime/crypto/vault';
import type { Deps } from '../../runtime/process/deps';
import { newVisitor, readVisitor, type Visitor } from './visitor-tokens';

/** What a browser reports, or a merchant's server of one. */
export interface Visit {
  scope: Scope;
  ref: string;
  url: string | null;
  referrer: string | null;
  /** Address or origin of the page, as far as it is known. */
  page: string | null;
  visitorToken: string | null;
  userAgent: string | null;
  /** The visitor's address, '' when it is not known; only its keyed hash is stored. */
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
  /** Hashes of the browser's address; undefined for a server, whose visitor has another one. */
  ipHashes: readonly string[] | undefined;
  visitor: Visitor | undefined;
  reservation: Reservation | undefined;
}

/** Who sends a request. */
interface Sender {
  apiKeyId: string;
  /** The address of a browser that has a public key; null for a merchant's server. */
  visitorIp: string | null;
}

const unknownRef: ClickOutcome = { recorded: false, reason: 'unknown_ref' };

type RecorderDeps = Pick<Deps, 'db' | 'vault' | 'config'> & { rates: RateLimiter };

/** A click under its id, ready to be stored. */
interface Entered extends Pick<Arrival, 'ipHashes'> {
  visitor: Visitor;
  clickId: string;
  reservation: Reservation;
}

/** One per process: it holds the batches, the limits and what was looked up lately. */
export class ClickRecorder {
  private readonly vault: Vault;
  private readonly isKnownBot: BotJudge = createBotJudge();
  private readonly links: ReferralCache;
  private readonly limits: LimitAndRepeat;
  private readonly batcher: ReturnType<typeof createClickBatcher>;
  private readonly tally: ClickTally;

  constructor({ db, rates, vault, config }: RecorderDeps) {
    this.vault = vault;
    this.links = createReferralCache(db.manager, config.cachedLinks);
    this.limits = new LimitAndRepeat(rates, config.limits.tracking);
    this.batcher = createClickBatcher(db.manager);
    this.tally = new ClickTally(db.manager, vault);
  }

  /**
   * Counts the request of a key. With a visit whose ref this process knows, the same round trip
   * finds the click that it repeats. `visit` is left out for a request that is refused anyway.
   */
  async arrive({ apiKeyId, visitorIp }: Sender, visit?: Visit): Promise<Arrival> {
    const ipHashes = visitorIp === null ? undefined : this.vault.ipHashes(visitorIp);
    const hasShare = visitorIp !== null && !isPrivateAddress(visitorIp);
    const caller = { apiKeyId, address: hasShare ? ipHashes?.[0] : undefined };
    const linkId = visit && !this.isKnownBot(visit.userAgent) ? this.links.known(visit) : undefined;
    if (!visit || linkId === undefined) {
      const { allowance, clickId } = await this.limits.enter(caller);
      return { allowance, clickId, ipHashes, visitor: undefined, reservation: undefined };
    }
    const visitor = this.visitorOf(visit);
    const reservation = reserve(visitor, linkId, visit.now);
    const { allowance, clickId } = await this.limits.enter(caller, reservation);
    return { allowance, clickId, ipHashes, visitor, reservation };
  }

  /** Writes what is not written yet of the merchants' view of their pages; for the end of a process. */
  flush(): Promise<void> {
    return this.tally.flush();
  }

  /** Stores the click; when this resolves it is committed and usable by a conversion. */
  async record(visit: Visit, arrival: Arrival): Promise<ClickOutcome> {
    const outcome = await this.decide(visit, arrival);
    const { scope, ref, page, now: at } = visit;
    if (outcome.recorded) this.tally.click(scope, { page, at, isNew: outcome.created });
    else if (outcome.reason === 'unknown_ref') this.tally.unknownRef(scope, { ref, at });
    return outcome;
  }

  private async decide(visit: Visit, arrival: Arrival): Promise<ClickOutcome> {
    if (this.isKnownBot(visit.userAgent)) return { recorded: false, reason: 'bot' };

    const visitor = arrival.visitor ?? this.visitorOf(visit);
    const { clickId: known, reservation: reserved, ipHashes } = arrival;
    if (reserved && known) {
      const entered = { visitor, clickId: known, reservation: reserved, ipHashes };
      const outcome = await this.store(visit, entered);
      if (outcome) return outcome;
      // What this process remembered of the ref is out of date: look it up once more.
    }
    const linkId = await this.links.find(visit);
    if (linkId === undefined || linkId === reserved?.linkId) return unknownRef;

    const reservation = reserve(visitor, linkId, visit.now);
    const clickId = await this.limits.reserve(reservation);
    const entered = { visitor, clickId, reservation, ipHashes };
    return (await this.store(visit, entered)) ?? unknownRef;
  }

  private visitorOf({ scope, visitorToken }: Visit): Visitor {
    return readVisitor(this.vault, scope, visitorToken) ?? newVisitor(this.vault, scope);
  }

  private async store(
    visit: Visit,
    { visitor, clickId, reservation, ipHashes }: Entered,
  ): Promise<ClickOutcome | undefined> {
    const stored = await this.batcher.submit({
      id: clickId,
      createdAt: uuidTime(clickId),
      linkId: reservation.linkId,
      visitorId: visitor.id,
      url: storableText(visit.url, maxUrlLength),
      referrer: storableText(visit.referrer, maxUrlLength),
      userAgent: storableText(visit.userAgent, longestUserAgent),
      ipHash: visit.ip === '' ? null : (ipHashes ?? this.vault.ipHashes(visit.ip)).join(' '),
      isRepeat: clickId !== reservation.clickId,
    });
    if (!stored) return undefined;
    const { created, expiresAt } = stored;
    return { recorded: true, clickId, visitorToken: visitor.token, created, expiresAt };
  }
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
