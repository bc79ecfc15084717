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
  /** Looks without counting; undefined when nothing was counted yet or the zone is off. */
  peek(zone: Zone, subject: string): Promise<LimitState | undefined>;
}

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
      },
    ] as const;
  });
  const limiters = Object.fromEntries(byZone) as Record<Zone, (typeof byZone)[number][1]>;

  return {
    async consume(zone, subject) {
      const { points, shared, local } = limiters[zone];
      if (points === 0) return undefined;
      const counted = await redis.attempt(() => settle(shared.consume(subject)));
      return toState(points, counted ?? (await settle(local.consume(subject))));
    },
    async peek(zone, subject) {
      const { points, shared, local } = limiters[zone];
      if (points === 0) return undefined;
      const counted = await redis.attempt(async () => (await shared.get(subject)) ?? 'none');
      const result = counted ?? (await local.get(subject));
      if (result === null || result === 'none') return undefined;
      return toState(points, result, 0);
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
