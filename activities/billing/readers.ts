import type { Biller } from '../../entities/rules/billing/biller';
import type { BillerReader } from './reader';
import { stripeReader } from './stripe/reader';

const readers: Readonly<Record<Biller, BillerReader>> = {
  stripe: stripeReader,
  paddle: stripeReader,
  polar: stripeReader,
};

export function readerOf(biller: Biller): BillerReader {
  return readers[biller];
}
