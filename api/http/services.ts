import type { AddressReader } from './client-address';
import type { Limiter } from './limits';

/** What the HTTP layer itself needs, built once in createApp. */
export interface ApiServices {
  limiter: Limiter;
  addressOf: AddressReader;
}
