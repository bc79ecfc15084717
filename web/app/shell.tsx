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
import type { InboxDto } from '../session/records';
import { useAccount, useApi } from '../session/use-session';
import { Find } from './find/find';
import { ClosingBanner } from './settings/closing-banner';
import { text } from '../text/en';
import { formatCount } from '../ui/format';

const { nav } = text.app;

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
  const counts = useApi<InboxDto>(isAsked ? '/api/v1/workspace/inbox' : undefined);
  const sum = Object.values(counts.data ?? {}).reduce((all, one) => all + one, 0);
  return sum > 0 ? <span className="nav-count">{formatCount(sum)}</span> : null;
}
