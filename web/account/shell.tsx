import type { ReactNode } from 'react';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useAccount, useMode, useSession } from '../session/use-session';
import { text } from '../text/en';
import { MenuButton } from '../ui/menu';
import { Bell } from './bell';
import { SignIn } from './sign-in';
import { SetUpTwoFactor } from './two-factor';

interface ShellProps {
  /** Paths and words of the navigation. */
  links: readonly (readonly [to: string, words: string])[];
  /** Beside the words of a link, such as a count. */
  mark?: (to: string) => ReactNode;
  /** Above every page, such as what will soon happen to the workspace. */
  banner?: ReactNode;
  /** What stands in place of the pages while nobody is signed in. */
  stranger?: ReactNode;
}

/** Everything around a page: who one is, where one is, and the way elsewhere. */
export function Shell({ links, mark, banner, stranger = <SignIn /> }: ShellProps) {
  const account = useAccount();
  const mode = useMode();
  if (!account) return <main className="alone">{stranger}</main>;
  const mustSetUp = account.mustSetUp && !account.twoFactor;
  return (
    <div className="shell">
      <header className="top">
        <strong className="brand">{account.workspaceName ?? text.product}</strong>
        <ModeSwitch />
        {!mustSetUp && <Bell />}
        <AccountMenu />
      </header>
      {mode === 'test' && <p className="test-banner">{text.testMode}</p>}
      <nav aria-label={text.main} className="side">
        <ul>
          {links.map(([to, words]) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                {words}
                {mark?.(to)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        {mustSetUp ? (
          <SetUpTwoFactor />
        ) : (
          <>
            {banner}
            <Outlet />
          </>
        )}
      </main>
    </div>
  );
}

function ModeSwitch() {
  const mode = useMode();
  const navigate = useNavigate();
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
          {text[one]}
        </label>
      ))}
    </fieldset>
  );
}

function AccountMenu() {
  const session = useSession();
  const account = useAccount();
  return (
    <MenuButton label={text.account} isMenu>
      {(close) => (
        <>
          <p>
            {account?.name}
            <br />
            <span className="fine">{account?.email}</span>
          </p>
          <div role="menu" aria-label={text.account}>
            <Link to="/settings" role="menuitem" onClick={close}>
              {text.app.nav.settings}
            </Link>
            <button type="button" role="menuitem" onClick={() => void session.leave()}>
              {text.signOut}
            </button>
          </div>
        </>
      )}
    </MenuButton>
  );
}
