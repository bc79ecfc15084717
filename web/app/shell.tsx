import {
  ChartNoAxesCombined,
  CodeXml,
  HandCoins,
  Inbox,
  Percent,
  Rocket,
  Settings,
  ShoppingBag,
  Store,
  Users,
} from 'lucide-react';
import { Shell, type NavLink } from '../account/shell';
import { useAccount, useAnswer } from '../session/use-session';
import { Find } from './find/find';
import { ClosingBanner } from './settings/closing-banner';
import { nav } from '../text/en/app/nav';
import { formatCount } from '../ui/format';

const links: readonly NavLink[] = [
  ['/', nav.getStarted, Rocket],
  ['/overview', nav.overview, ChartNoAxesCombined],
  ['/inbox', nav.inbox, Inbox],
  ['/sales', nav.sales, ShoppingBag],
  ['/commissions', nav.commissions, Percent],
  ['/partners', nav.partners, Users],
  ['/payouts', nav.payouts, HandCoins],
  ['/programme', nav.programme, Store],
  ['/developers', nav.developers, CodeXml],
  ['/settings', nav.settings, Settings],
];

export function MerchantShell() {
  return (
    <Shell
      links={links}
      gaps={['/sales', '/programme']}
      mark={(to) => to === '/inbox' && <Waiting />}
      tools={<Find />}
      banner={<ClosingBanner />}
    />
  );
}

/** How much waits for somebody. */
function Waiting() {
  const account = useAccount();
  const isAsked = account !== undefined && !account.mustSetUp;
  const counts = useAnswer('workspace.getInbox', isAsked && {});
  const sum = Object.values(counts.data ?? {}).reduce((all, one) => all + one, 0);
  return sum > 0 ? <span className="nav-count">{formatCount(sum)}</span> : null;
}
