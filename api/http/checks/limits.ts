import { maxLiveKeys } from '../../../activities/credentials/api-keys';
import type { Bucket, RateLimiter } from '../../../runtime/load/rate-limiter';
import type { RateLimits } from '../../../runtime/process/config';
import type { Limiter, Subject, Zone } from '../contract/limiter';

/**
 * What all keys of a workspace may send together, in limits of one key: as many as it may have live
 * ones of a kind, in both modes. Without it, revoking keys and making new ones would start each minute
 * again.
 */
const sharedTimes = 2 * maxLiveKeys;

const minute = 60;
const hour = 3_600;

function settings(limits: RateLimits): Record<Zone, { points: number; duration: number }> {
  return {
    tracking: { points: limits.tracking, duration: minute },
    conversions: { points: limits.conversions, duration: minute },
    auth: { points: limits.auth, duration: minute },
    // A page that is loaded again renews its session; colleagues share an address.
    reload: { points: limits.general, duration: minute },
    general: { points: limits.general, duration: minute },
    waitlist: { points: limits.waitlist, duration: minute },
    erasure: { points: limits.erasurePerHour, duration: hour },
    resend: { points: limits.resendPerHour, duration: hour },
  };
}

/** Counts requests in the zones of the API. */
export function createLimiter(limits: RateLimits, rates: RateLimiter): Limiter {
  const zoneSettings = settings(limits);
  const bucketOf = ({ zone, subject }: Subject): Bucket | undefined => {
    const { points, duration } = zoneSettings[zone];
    if (points === 0) return undefined;
    return { key: `limit:${zone}:${subject}`, limit: points, windowMs: duration * 1_000 };
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
