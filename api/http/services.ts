import type { FairPlaces } from '../../activities/runtime/batching/fair-places';
import type { AddressReader } from './client-address';
import type { Limiter } from './limits';

/** What the HTTP layer itself needs, built once in createApp. */
export interface ApiServices {
  limiter: Limiter;
  addressOf: AddressReader;
  /** Places for requests that hold a database connection. */
  places: FairPlaces;
}
