import { ClickRecorder } from '../activities/clicks/record';
import { createCredentials } from '../activities/credentials/principals';
import { createDecisionBatch, type DecisionBatch } from '../activities/commissions/decide';
import {
  createConversionRecorder,
  type ConversionRecorder,
} from '../activities/purchases/report-purchase';
import { createRowStreams, type RowStreams } from '../runtime/connections/row-streams';
import { createReportPlaces } from './payouts/report-places';
import type { KeyedSemaphore } from '../runtime/load/keyed-semaphore';
import { createRateLimiter } from '../runtime/connections/rate-limiter';
import { createPasswordHasher } from '../runtime/crypto/passwords';
import type { Deps } from '../runtime/process/deps';
import { createWaitlistCounter, type WaitlistCounter } from '../activities/waitlist/signups';
import { createDocuments, type Documents } from './docs/served';
import { createAddressReader } from './http/checks/client-address';
import { createKeyClaims } from './http/checks/idempotency';
import { createLimiter } from './http/checks/limits';
import { createDatabasePlaces, createUploadPlaces } from './http/checks/places';
import type { ApiServices } from './http/contract/request';
import { StreamHub } from './notifications/live/hub';
import { routes } from './routes';
import { loadPinned, loadSnippet, type Snippet } from './snippet/build';

declare module './http/contract/request' {
  interface ApiServices {
    exports: RowStreams;
    /** Reports of what became of payouts: one at a time of an account, or of a key. */
    reports: KeyedSemaphore;
    /** Tries of terms: one at a time of a workspace. */
    backTests: KeyedSemaphore;
    streams: StreamHub;
    clicks: ClickRecorder;
    conversions: ConversionRecorder;
    decisions: DecisionBatch;
    waitlist: WaitlistCounter;
    documents: Documents;
    snippet: Snippet;
    /** Pinned scripts by the path of their address. */
    pinnedSnippets: ReadonlyMap<string, Snippet>;
  }
}

/** Whatever lasts longer than a request; routes reach it through their context. */
export function createServices(deps: Deps): ApiServices {
  const { config, db } = deps;
  const rates = createRateLimiter(deps.redis);
  const snippet = loadSnippet();
  return {
    limiter: createLimiter(config.limits, rates),
    addressOf: createAddressReader(config.trustedProxies, (proxy) =>
      deps.log.warn(
        { proxy },
        'a trusted proxy wrote no address into X-Forwarded-For: its clients count as one',
      ),
    ),
    credentials: createCredentials(deps),
    exports: createRowStreams(config, deps.metrics),
    reports: createReportPlaces(),
    backTests: createReportPlaces(),
    streams: new StreamHub(deps),
    places: createDatabasePlaces(config.databasePoolSize),
    uploads: createUploadPlaces(),
    abandonedClaims: createKeyClaims(db.manager),
    passwords: createPasswordHasher(config.limits.passwordHashesWaiting),
    clicks: new ClickRecorder({ ...deps, rates }),
    conversions: createConversionRecorder(db.manager, deps.vault),
    decisions: createDecisionBatch(db.manager),
    waitlist: createWaitlistCounter(deps),
    documents: createDocuments(routes, config.publicBaseUrl),
    snippet,
    pinnedSnippets: loadPinned(snippet),
  };
}
