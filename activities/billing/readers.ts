import type { Biller } from '../../entities/rules/billing/biller';
import { paddleReader } from './paddle/reader';
import { polarReader } from './polar/reader';
import type { BillerReader } from './reader';
import { stripeReader } from './stripe/reader';

const readers: Readonly<Record<Biller, BillerReader>> = {
  stripe: stripeReader,
  paddle: paddleReader,
  polar: polarReader,
};

export function readerOf(biller: Biller): BillerReader {
  return readers[biller];
}
