import { createClickRecorder } from '../activities/clicks/record';
import { createDecisionBatch } from '../activities/commissions/decide';
import { createConversionRecorder } from '../activities/purchases/report-purchase';
import { createRowStreams } from '../runtime/connections/row-streams';
import { createRateLimiter } from '../runtime/load/rate-limiter';
import { createPasswordHasher } from '../runtime/crypto/passwords';
import type { Deps } from '../runtime/process/deps';
import { createWaitlistCounter } from '../activities/waitlist/signups';
import { createDocuments } from './docs/served';
import { createAddressReader } from './http/checks/client-address';
import { createLimiter } from './http/checks/limits';
import { createDatabasePlaces, createLargeWork } from './http/checks/places';
import type { ApiServices } from './http/services';
import { StreamHub } from './notifications/live/hub';
import { routes } from './routes';
import { loadSnippet } from './snippet/build';

/** Whatever lasts longer than a request; routes reach it through their context. */
export function createServices(deps: Deps): ApiServices {
  const { config, db } = deps;
  const rates = createRateLimiter(deps.redis);
  return {
    limiter: createLimiter(config.limits, rates),
    addressOf: createAddressReader(config.trustedProxies),
    exports: createRowStreams(config, deps.metrics),
    streams: new StreamHub(deps),
    places: createDatabasePlaces(config.databasePoolSize),
    largeWork: createLargeWork(),
    passwords: createPasswordHasher(config.limits.passwordHashesWaiting),
    clicks: createClickRecorder({ ...deps, rates }),
    conversions: createConversionRecorder(db.manager),
    decisions: createDecisionBatch(db.manager),
    waitlist: createWaitlistCounter(deps),
    documents: createDocuments(routes, config.publicBaseUrl),
    snippet: loadSnippet(),
  };
}
