import type { ClickRecorder } from '../../activities/clicks/record';
import type { FairPlaces } from '../../activities/runtime/batching/fair-places';
import type { RowStreams } from '../../activities/runtime/connections/row-streams';
import type { AddressReader } from './client-address';
import type { Limiter } from './limits';
import type { StreamHub } from '../notifications/live/hub';
import type { Snippet } from '../snippet/build';

/** What requests share and no process but the API has; built once in createApp. */
export interface ApiServices {
  limiter: Limiter;
  addressOf: AddressReader;
  exports: RowStreams;
  streams: StreamHub;
  /** Places for requests that hold a database connection. */
  places: FairPlaces;
  clicks: ClickRecorder;
  snippet: Snippet;
}
