import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimits } from '../../activities/runtime/process/config';
import type { RedisLink } from '../../activities/runtime/connections/redis';

/** Spec, Limits. Each zone counts its own subject: an address, an account or a key. */
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

export interface Limiter {
  /** Counts one request; undefined when the zone is off. */
  consume(zone: Zone, subject: string): Promise<LimitState | undefined>;
  /** Counts a request of one of a workspace's keys against what all of them together may send. */
  consumeShared(zone: Zone, workspaceId: string): Promise<LimitState | undefined>;
  /** Looks without counting; undefined when nothing was counted yet or the zone is off. */
  peek(zone: Zone, subject: string): Promise<LimitState | undefined>;
}

/**
 * Keys are free, and each has limits of its own: all of a workspace's have this many times one's, on
 * each process. It bounds abuse; nobody with a handful of keys meets it.
 */
const sharedTimes = 5;

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

/** Counts in Redis; in this process's memory while Redis is away. */
export function createLimiter(limits: RateLimits, redis: RedisLink): Limiter {
  const byZone = Object.entries(settings(limits)).map(([zone, { points, duration }]) => {
    const options = { points, duration, keyPrefix: `${redis.prefix}limit:${zone}` };
    return [
      zone,
      {
        points,
        shared: new RateLimiterRedis({ ...options, storeClient: redis.client }),
        local: new RateLimiterMemory(options),
        workspaces: new RateLimiterMemory({ ...options, points: points * sharedTimes }),
      },
    ] as const;
  });
  const limiters = Object.fromEntries(byZone) as Record<Zone, (typeof byZone)[number][1]>;

  const peek: Limiter['peek'] = async (zone, subject) => {
    const { points, shared, local } = limiters[zone];
    if (points === 0) return undefined;
    const counted = await redis.attempt(async () => (await shared.get(subject)) ?? 'none');
    const result = counted ?? (await local.get(subject));
    if (result === null || result === 'none') return undefined;
    return toState(points, result, 0);
  };

  return {
    peek,
    async consumeShared(zone, workspaceId) {
      const { points, workspaces } = limiters[zone];
      if (points === 0) return undefined;
      return toState(points * sharedTimes, await settle(workspaces.consume(workspaceId)));
    },
    async consume(zone, subject) {
      const { points, shared, local } = limiters[zone];
      if (points === 0) return undefined;
      const counted = await redis.attempt(() => settle(shared.consume(subject)));
      return toState(points, counted ?? (await settle(local.consume(subject))));
    },
  };
}

/** The library rejects with the state when the limit is exceeded, and with an Error on failure. */
async function settle(counting: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await counting;
  } catch (result) {
    if (result instanceof RateLimiterRes) return result;
    throw result;
  }
}

/** `ownRequest` is 1 when this request is counted in the result, 0 when it would come on top. */
function toState(points: number, result: RateLimiterRes, ownRequest = 1): LimitState {
  return {
    limit: points,
    remaining: Math.max(0, points - result.consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
    exceeded: result.consumedPoints - ownRequest >= points,
  };
}
