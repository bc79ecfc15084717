import type { ClickRecorder } from '../../activities/clicks/record';
import type { DecisionBatch } from '../../activities/commissions/decide';
import type { ConversionRecorder } from '../../activities/purchases/report-purchase';
import type { FairPlaces } from '../../runtime/load/fair-places';
import type { PasswordHasher } from '../../runtime/crypto/passwords';
import type { RowStreams } from '../../runtime/connections/row-streams';
import type { WaitlistCounter } from '../../activities/waitlist/signups';
import type { Documents } from '../docs/served';
import type { AddressReader } from './checks/client-address';
import type { Limiter } from './checks/limits';
import type { LargeWork } from './checks/places';
import type { StreamHub } from '../notifications/live/hub';
import type { Snippet } from '../snippet/build';

/** What requests share and no process but the API has; built once by createServices. */
export interface ApiServices {
  limiter: Limiter;
  addressOf: AddressReader;
  exports: RowStreams;
  streams: StreamHub;
  /** Places for requests that hold a database connection. */
  places: FairPlaces;
  /** Beside them, for those that change thousands of rows at once. */
  largeWork: LargeWork;
  passwords: PasswordHasher;
  clicks: ClickRecorder;
  conversions: ConversionRecorder;
  decisions: DecisionBatch;
  waitlist: WaitlistCounter;
  documents: Documents;
  snippet: Snippet;
}
