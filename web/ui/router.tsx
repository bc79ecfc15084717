import type { FunctionComponent, ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  retainSearchParams,
  RouterProvider,
} from '@tanstack/react-router';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../session/api-error';
import type { Session } from '../session/session';
import { SessionContext } from '../session/use-session';
import { text } from '../text/en';
import { NotLoaded, whenThere } from './lazy-page';
import { Page, Problem } from './page';

/** A page's module, loaded when it is first opened. */
export type PageModule = () => Promise<{ default: FunctionComponent }>;

interface AppOptions {
  session: Session;
  /** `/app` or `/portal`. */
  basepath: string;
  shell: FunctionComponent;
  /** Pages by path below the base. */
  pages: Record<string, PageModule>;
}

function NotFound() {
  return (
    <Page title={text.notFound}>
      <p>
        <Link to="/">{text.backToStart}</Link>
      </p>
    </Page>
  );
}

function routerOf({ basepath, shell, pages }: AppOptions) {
  const root = createRootRoute({
    component: shell,
    notFoundComponent: NotFound,
    validateSearch: (search: Record<string, unknown>) => search,
    search: { middlewares: [retainSearchParams(['mode'])] },
  });
  const children = Object.entries(pages).map(([path, load]) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyRouteComponent(() => whenThere(load)),
    }),
  );
  return createRouter({
    routeTree: root.addChildren(children),
    basepath,
    // Plain texts on both ways: `?search=1001` is no number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => searchOf(search),
    defaultPreload: 'intent',
    defaultErrorComponent: NotLoaded,
  });
}

/** What a person does not mend by asking again is not asked again. */
function isWorthRetry(failures: number, error: unknown): boolean {
  const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return isPassing && failures < 2;
}

export function Providers({ session, children }: { session: Session; children: ReactNode }) {
  const queries = new QueryClient({
    // What is asked or sent without a network fails and says so: held back it would be sent later, unseen.
    defaultOptions: {
      queries: {
        ...{ retry: isWorthRetry, staleTime: 5_000 },
        ...{ networkMode: 'always', refetchOnReconnect: true },
      },
      mutations: { networkMode: 'always' },
    },
  });
  return (
    <StrictMode>
      <SessionContext value={session}>
        <QueryClientProvider client={queries}>
          {/* The policy of the pages takes no style element; what they would say stands in styles.css. */}
          <CSPProvider disableStyleElements>{children}</CSPProvider>
        </QueryClientProvider>
      </SessionContext>
    </StrictMode>
  );
}

function Away({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="alone">
      <Problem error={error} retry={retry} />
    </main>
  );
}

/** Shows the pages once it is known whether somebody is signed in. */
export async function start(options: AppOptions): Promise<void> {
  const { session } = options;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root.');
  const page = createRoot(root);
  const show = async (): Promise<void> => {
    try {
      await session.restore();
    } catch (error) {
      page.render(<Away error={error} retry={() => void show()} />);
      return;
    }
    page.render(
      <Providers session={session}>
        <RouterProvider router={routerOf(options)} />
      </Providers>,
    );
  };
  await show();
}

/** `?a=1&b=2` of what is given. */
function searchOf(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
