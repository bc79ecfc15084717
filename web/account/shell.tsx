import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import {
  LogOut,
  Menu,
  PanelLeftClose,
  PanelLeftOpen,
  Settings,
  type LucideIcon,
} from 'lucide-react';
import { useAccount, useMode, useSession } from '../session/use-session';
import { text } from '../text/en';
import { nav as navWords } from '../text/en/app/nav';
import { BrandMark } from '../ui/brand';
import { MenuButton } from '../ui/menu';
import { Loading } from '../ui/page';
import { Avatar } from '../ui/values';
import { Bell } from './bell';
import { OfflineBanner } from './offline';
import { SignIn } from './sign-in';

/** Few are asked for one: with it come dialogs, which the first page does without. */
const SetUpTwoFactor = lazy(async () => ({
  default: (await import('./two-factor')).SetUpTwoFactor,
}));

/** A path, its words, and the sign before them. */
export type NavLink = readonly [to: string, words: string, icon?: LucideIcon];

interface ShellProps {
  /** The navigation. */
  links: readonly NavLink[];
  /** Paths before which a part of the navigation begins. */
  gaps?: readonly string[];
  /** A mark at the end of a link, such as a count. It is no part of the link's name. */
  mark?: (to: string) => ReactNode;
  /** Above every page, such as what will soon happen to the workspace. */
  banner?: ReactNode;
  /** Tools between the way to the menu and the mode, such as the search. */
  tools?: ReactNode;
  /** What stands in place of the pages while nobody is signed in. */
  stranger?: ReactNode;
  /** Nothing is in the other mode, so there is no switch. */
  isOfOneMode?: boolean;
}

/** Everything around a page: who one is, where one is, and the way elsewhere. */
export function Shell({ stranger = <SignIn />, ...rest }: ShellProps) {
  const account = useAccount();
  if (account) return <Inside {...rest} />;
  return (
    <main className="alone">
      <p className="alone-brand">
        <BrandMark /> {text.product}
      </p>
      {stranger}
    </main>
  );
}

function Inside({
  links,
  gaps = [],
  mark,
  banner,
  tools,
  isOfOneMode,
}: Omit<ShellProps, 'stranger'>) {
  const account = useAccount();
  const mode = useMode();
  const [isFolded, fold] = useFolded();
  const menu = useOpenMenu();
  const mustSetUp = account?.mustSetUp && !account.twoFactor;
  return (
    <div className={isFolded ? 'shell narrow' : 'shell'}>
      <div className={menu.isOpen ? 'side open' : 'side'}>
        <strong className="brand">
          <BrandMark />
          <span>{account?.workspaceName ?? text.product}</span>
        </strong>
        <nav aria-label={text.main}>
          <ul>
            {links.map(([to, words, Icon]) => (
              <li key={to} className={gaps.includes(to) ? 'gap' : undefined}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  title={isFolded ? words : undefined}
                >
                  {Icon && <Icon size={18} strokeWidth={1.8} aria-hidden="true" />}
                  <span className="nav-words">{words}</span>
                  {mark && <span aria-hidden="true">{mark(to)}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <button type="button" className="fold" onClick={() => fold(!isFolded)}>
          {isFolded ? <PanelLeftOpen size={18} /> : <PanelLeftClose size={18} />}
          <span>{isFolded ? text.unfold : text.fold}</span>
        </button>
      </div>
      <header className="top">
        <button
          type="button"
          className="quiet icon-button open-menu"
          aria-label={text.menu}
          aria-expanded={menu.isOpen}
          onClick={menu.toggle}
        >
          <Menu size={18} aria-hidden="true" />
        </button>
        {!mustSetUp && tools}
        <span className="spread" />
        <ModeSwitch isLeftOut={isOfOneMode} />
        {!mustSetUp && <Bell />}
        <AccountMenu />
      </header>
      {mode === 'test' && <p className="test-banner">{text.testMode}</p>}
      <main>
        {mustSetUp ? (
          <Suspense fallback={<Loading />}>
            <SetUpTwoFactor />
          </Suspense>
        ) : (
          <>
            <OfflineBanner />
            {banner}
            <Outlet />
          </>
        )}
      </main>
    </div>
  );
}

const foldedKey = 'aps-navigation-folded';

/** The width below which a page needs the room more than the navigation does. */
const roomyPx = 1_024;

/** Whether the navigation is folded, as this browser left it. */
function useFolded(): [boolean, (isFolded: boolean) => void] {
  const [isFolded, setFolded] = useState(() => {
    const left = localStorage.getItem(foldedKey);
    return left === null ? window.innerWidth < roomyPx : left === 'yes';
  });
  const fold = (next: boolean): void => {
    setFolded(next);
    localStorage.setItem(foldedKey, next ? 'yes' : 'no');
  };
  return [isFolded, fold];
}

/** The menu that the navigation is on a telephone; it closes when one goes somewhere. */
function useOpenMenu(): { isOpen: boolean; toggle: () => void } {
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === here;
  return { isOpen, toggle: () => setOpenAt(isOpen ? undefined : here) };
}

function ModeSwitch({ isLeftOut = false }: { isLeftOut?: boolean | undefined }) {
  const mode = useMode();
  const navigate = useNavigate();
  if (isLeftOut) return null;
  const choose = (chosen: string): void => {
    // What a filter names is of one mode.
    void navigate({ to: '.', search: { mode: chosen } as never });
  };
  return (
    <fieldset className="mode" role="radiogroup" aria-label={text.mode}>
      {(['test', 'live'] as const).map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="mode"
            value={one}
            checked={mode === one}
            onChange={() => choose(one)}
          />
          {text.modes[one]}
        </label>
      ))}
    </fieldset>
  );
}

function AccountMenu() {
  const session = useSession();
  const account = useAccount();
  const face = (
    <span className="account-face">
      <Avatar name={account?.name ?? ''} />
    </span>
  );
  return (
    <MenuButton label={text.account} face={face} className="quiet icon-button" isMenu>
      {(close) => (
        <>
          <p>
            <b>{account?.name}</b>
            <br />
            <span className="fine">{account?.email}</span>
          </p>
          <div role="menu" aria-label={text.account}>
            <Link to="/settings" role="menuitem" onClick={close}>
              <Settings size={16} aria-hidden="true" /> {navWords.settings}
            </Link>
            <button type="button" role="menuitem" onClick={() => void session.leave()}>
              <LogOut size={16} aria-hidden="true" /> {text.signOut}
            </button>
          </div>
        </>
      )}
    </MenuButton>
  );
}
