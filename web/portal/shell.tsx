import { Shell } from '../account/shell';
import { text } from '../text/en';

const { nav } = text.portal;

const links = [
  ['/', nav.home],
  ['/links', nav.links],
  ['/earnings', nav.earnings],
  ['/payouts', nav.payouts],
  ['/programmes', nav.programmes],
  ['/settings', nav.settings],
] as const;

export function PartnerShell() {
  return <Shell links={links} />;
}
