import { maxLiveKeys } from '../../../activities/credentials/api-keys';
import { hourMs, minuteMs } from '../../../entities/rules/values/duration';
import type { Bucket, RateLimiter } from '../../../runtime/connections/rate-limiter';
import type { RateLimits } from '../../../runtime/config/config';
import type { Limiter, Subject, Zone } from '../contract/limiter';

/**
 * What all keys of a workspace may send together, in limits of one key: as many as it may have live
 * ones of a kind, in both modes. Without it, revoking keys and making new ones would start each minute
 * again.
 */
const sharedTimes = 2 * maxLiveKeys;

function settings(limits: RateLimits): Record<Zone, { points: number; windowMs: number }> {
  return {
    tracking: { points: limits.tracking, windowMs: minuteMs },
    conversions: { points: limits.conversions, windowMs: minuteMs },
    auth: { points: limits.auth, windowMs: minuteMs },
    // A page that is loaded again renews its session; colleagues share an address.
    reload: { points: limits.general, windowMs: minuteMs },
    general: { points: limits.general, windowMs: minuteMs },
    waitlist: { points: limits.waitlist, windowMs: minuteMs },
    erasure: { points: limits.erasurePerHour, windowMs: hourMs },
    resend: { points: limits.resendPerHour, windowMs: hourMs },
  };
}

/** Counts requests in the zones of the API. */
export function createLimiter(limits: RateLimits, rates: RateLimiter): Limiter {
  const zoneSettings = settings(limits);
  const bucketOf = ({ zone, subject }: Subject): Bucket | undefined => {
    const { points, windowMs } = zoneSettings[zone];
    if (points === 0) return undefined;
    return { key: `limit:${zone}:${subject}`, limit: points, windowMs };
  };

  return {
    consumeUnless: (watched, counted) =>
      rates.ask({ watched: bucketOf(watched), counted: bucketOf(counted) }),
    peek: async (zone, subject) =>
      (await rates.ask({ watched: bucketOf({ zone, subject }) })).watched,
    consume: async (zone, subject) =>
      (await rates.ask({ counted: bucketOf({ zone, subject }) })).counted,
    consumeShared(zone, workspaceId) {
      const bucket = bucketOf({ zone, subject: `workspace:${workspaceId}` });
      return bucket && rates.countHere({ ...bucket, limit: bucket.limit * sharedTimes });
    },
  };
}
