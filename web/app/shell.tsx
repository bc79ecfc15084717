import { Shell } from '../account/shell';
import { ClosingBanner } from './settings/close-workspace';
import { text } from '../text/en';

const { nav } = text.app;

const links = [
  ['/', nav.getStarted],
  ['/overview', nav.overview],
  ['/inbox', nav.inbox],
  ['/sales', nav.sales],
  ['/commissions', nav.commissions],
  ['/partners', nav.partners],
  ['/payouts', nav.payouts],
  ['/programme', nav.programme],
  ['/developers', nav.developers],
  ['/settings', nav.settings],
] as const;

export function MerchantShell() {
  return <Shell links={links} banner={<ClosingBanner />} />;
}
