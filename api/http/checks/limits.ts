import { mostLiveKeys } from '../../../activities/credentials/api-keys';
import {
  createLocalCounts,
  type Count,
  type LocalCounts,
} from '../../../runtime/load/local-counts';
import type { RateLimits } from '../../../runtime/process/config';
import type { RedisLink } from '../../../runtime/connections/redis';
import { createSharedCounts, type Answer, type Question, type Unanswered } from './shared-counts';

/** Each counts a subject of its own: an address, an account or a key. */
export const zones = [
  'tracking',
  'conversions',
  'auth',
  'general',
  'waitlist',
  'erasure',
  'resend',
] as const;
export type Zone = (typeof zones)[number];

export interface LimitState {
  limit: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
}

export interface Subject {
  zone: Zone;
  subject: string;
}

export interface Admission {
  watched?: LimitState | undefined;
  /** Undefined when the zone is off, or nothing was counted. */
  counted?: LimitState | undefined;
}

export interface Limiter {
  /** Counts one request; undefined when the zone is off. */
  consume(zone: Zone, subject: string): Promise<LimitState | undefined>;
  /** Counts a request of one of a workspace's keys against what all of them together may send. */
  consumeShared(zone: Zone, workspaceId: string): LimitState | undefined;
  /** Looks without counting; undefined when nothing was counted yet or the zone is off. */
  peek(zone: Zone, subject: string): Promise<LimitState | undefined>;
  /** Looks at the first and, unless that is exceeded, counts in the second, in one trip. */
  consumeUnless(watched: Subject, counted: Subject): Promise<Admission>;
}

/**
 * What all keys of a workspace may send together, in limits of one key: as many as it may have live
 * ones of a kind, in both modes. Without it, revoking keys and making new ones would start each minute
 * again.
 */
const sharedTimes = 2 * mostLiveKeys;

const minute = 60;
const hour = 3_600;

function settings(limits: RateLimits): Record<Zone, { points: number; duration: number }> {
  return {
    tracking: { points: limits.tracking, duration: minute },
    conversions: { points: limits.conversions, duration: minute },
    auth: { points: limits.auth, duration: minute },
    general: { points: limits.general, duration: minute },
    waitlist: { points: limits.waitlist, duration: minute },
    erasure: { points: limits.erasurePerHour, duration: hour },
    resend: { points: limits.resendPerHour, duration: hour },
  };
}

interface ZoneLimiter {
  points: number;
  windowMs: number;
  keyPrefix: string;
  counts: LocalCounts;
  workspaces: LocalCounts;
}

function createZones(limits: RateLimits, redis: RedisLink): Record<Zone, ZoneLimiter> {
  const byZone = Object.entries(settings(limits)).map(([zone, { points, duration }]) => {
    const windowMs = duration * 1_000;
    const limiter: ZoneLimiter = {
      points,
      windowMs,
      keyPrefix: `${redis.prefix}limit:${zone}:`,
      counts: createLocalCounts(windowMs),
      workspaces: createLocalCounts(windowMs),
    };
    return [zone, limiter] as const;
  });
  return Object.fromEntries(byZone) as Record<Zone, ZoneLimiter>;
}

/** Counts in Redis; while Redis is away this process goes on from what it knows. */
export function createLimiter(limits: RateLimits, redis: RedisLink): Limiter {
  const limiters = createZones(limits, redis);
  const ask = createSharedCounts(redis);

  const enter = async (watched?: Subject, counted?: Subject): Promise<Admission> => {
    const [watching, counting] = [askedOf(limiters, watched), askedOf(limiters, counted)];
    if (!watching && !counting) return {};
    const answer = await ask(toQuestion(watching, counting));
    const state = watching && watchedState(watching, answer);
    if (!counting || state?.exceeded) return { watched: state };
    return { watched: state, counted: countedState(counting, answer) };
  };

  return {
    consumeUnless: enter,
    peek: async (zone, subject) => (await enter({ zone, subject })).watched,
    consume: async (zone, subject) => (await enter(undefined, { zone, subject })).counted,
    consumeShared(zone, workspaceId) {
      const { points, workspaces } = limiters[zone];
      if (points === 0) return undefined;
      return toState(points * sharedTimes, workspaces.note(workspaceId, 'unasked'));
    },
  };
}

type Asked = ZoneLimiter & { subject: string };

/** Undefined without a subject, and for a zone that is off. */
function askedOf(
  limiters: Record<Zone, ZoneLimiter>,
  asked: Subject | undefined,
): Asked | undefined {
  if (!asked || limiters[asked.zone].points === 0) return undefined;
  return { subject: asked.subject, ...limiters[asked.zone] };
}

/** Undefined while nothing was counted. */
function watchedState(
  { counts, subject, points }: Asked,
  answer: Answer | Unanswered,
): LimitState | undefined {
  const seen = typeof answer === 'object' ? answer.watched : counts.peek(subject);
  return seen?.count ? toState(points, seen, 0) : undefined;
}

function countedState({ counts, subject, points }: Asked, answer: Answer | Unanswered): LimitState {
  const report = typeof answer === 'object' ? answer.counted : answer;
  return toState(points, counts.note(subject, report));
}

function toQuestion(watched: Asked | undefined, counted: Asked | undefined): Question {
  return {
    ...(watched && {
      watched: { key: watched.keyPrefix + watched.subject, limit: watched.points },
    }),
    ...(counted && {
      counted: { key: counted.keyPrefix + counted.subject, windowMs: counted.windowMs },
    }),
  };
}

/** `ownRequest` is 1 when this request is counted, 0 when it would come on top. */
function toState(points: number, { count, ttlMs }: Count, ownRequest = 1): LimitState {
  return {
    limit: points,
    remaining: Math.max(0, points - count),
    resetSeconds: Math.max(1, Math.ceil(ttlMs / 1_000)),
    exceeded: count - ownRequest >= points,
  };
}
