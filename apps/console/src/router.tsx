import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isApiError } from './api/api-error.js';
import { sessionQuery } from './api/session.js';
import { settingsQuery } from './api/settings.js';
import { NotFound, PageFailed, PageLoads } from './frame/fallbacks.jsx';
import { Shell } from './frame/shell.jsx';

export interface RouterContext {
  readonly queries: QueryClient;
}

type Search = Readonly<Record<string, string | undefined>>;

/** Every filter lives in the address: text, whatever the page makes of it. */
const textSearch = (given: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  );

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: textSearch,
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.jsx'), 'SignInPage'),
});

const createAccount = createRoute({
  getParentRoute: () => root,
  path: '/create-account',
  component: lazyRouteComponent(() => import('./pages/sign-in/create-account-page.jsx'), 'CreateAccountPage'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  errorComponent: PageFailed,
  pendingComponent: PageLoads,
  beforeLoad: async ({ context: { queries }, location }) => {
    try {
      await Promise.all([queries.ensureQueryData(sessionQuery), queries.ensureQueryData(settingsQuery)]);
    } catch (error) {
      if (isApiError(error) && error.status === 401)
        throw redirect({ to: '/sign-in', search: { back: location.href } });
      throw error;
    }
  },
});

const page = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component,
    validateSearch: textSearch,
    errorComponent: PageFailed,
  });

const pages = [
  page(
    '/',
    lazyRouteComponent(() => import('./pages/overview/overview-page.jsx'), 'OverviewPage'),
  ),
  page(
    '/first-call',
    lazyRouteComponent(() => import('./pages/first-call/first-call-page.jsx'), 'FirstCallPage'),
  ),
  page(
    '/requests',
    lazyRouteComponent(() => import('./pages/requests/requests-page.jsx'), 'RequestsPage'),
  ),
  page(
    '/playground',
    lazyRouteComponent(() => import('./pages/playground/playground-page.jsx'), 'PlaygroundPage'),
  ),
  page(
    '/media',
    lazyRouteComponent(() => import('./pages/media/media-page.jsx'), 'MediaPage'),
  ),
  page(
    '/keys',
    lazyRouteComponent(() => import('./pages/keys/keys-page.jsx'), 'KeysPage'),
  ),
  page(
    '/models',
    lazyRouteComponent(() => import('./pages/models/models-page.jsx'), 'ModelsPage'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.jsx'), 'WebhooksPage'),
  ),
  page(
    '/billing',
    lazyRouteComponent(() => import('./pages/billing/billing-page.jsx'), 'BillingPage'),
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('./pages/account/account-page.jsx'), 'AccountPage'),
  ),
  page(
    '/parts',
    lazyRouteComponent(() => import('./pages/parts/parts-page.jsx'), 'PartsPage'),
  ),
];

/** Every address of the console. A page is loaded when it is first opened. */
export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([signIn, createAccount, signedIn.addChildren(pages)]),
    basepath: '/console',
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
