import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isGatewayError } from './api/failures.js';
import type { Role } from './api/roles.js';
import { sessionQuery } from './api/session.js';
import { settingsQuery } from './api/settings.js';
import { NotFound, PageFailed, PageLoads } from './frame/fallbacks.jsx';
import { Shell } from './frame/shell.jsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The role that a page needs; null: none. */
    readonly least?: Role | null;
  }
}

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

/** A page for everybody: the forms before a session, and what the links of mails open. */
const entry = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: textSearch, errorComponent: PageFailed });

const entries = [
  entry(
    '/sign-in',
    lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.jsx'), 'SignInPage'),
  ),
  entry(
    '/create-account',
    lazyRouteComponent(() => import('./pages/sign-in/create-account-page.jsx'), 'CreateAccountPage'),
  ),
  entry(
    '/forgot-password',
    lazyRouteComponent(() => import('./pages/mail-links/forgot-password-page.jsx'), 'ForgotPasswordPage'),
  ),
  entry(
    '/reset-password',
    lazyRouteComponent(() => import('./pages/mail-links/reset-password-page.jsx'), 'ResetPasswordPage'),
  ),
  entry(
    '/confirm',
    lazyRouteComponent(() => import('./pages/mail-links/confirm-page.jsx'), 'ConfirmPage'),
  ),
  entry(
    '/accept-invitation',
    lazyRouteComponent(() => import('./pages/mail-links/accept-invitation-page.jsx'), 'AcceptInvitationPage'),
  ),
];

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  errorComponent: PageFailed,
  pendingComponent: PageLoads,
  // The session may take seconds. The grey lines wait for 200 ms themselves.
  pendingMs: 0,
  pendingMinMs: 0,
  beforeLoad: async ({ context: { queries }, location }) => {
    try {
      await Promise.all([queries.ensureQueryData(sessionQuery), queries.ensureQueryData(settingsQuery)]);
    } catch (error) {
      if (isGatewayError(error) && error.status === 401)
        throw redirect({ to: '/sign-in', search: { back: location.href } });
      throw error;
    }
  },
});

/** `least`: the role that the page needs; null: none, because it is the person's own. */
const page = (path: string, component: ReturnType<typeof lazyRouteComponent>, least: Role | null = 'viewer') =>
  createRoute({
    staticData: { least },
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
    'developer',
  ),
  page(
    '/requests',
    lazyRouteComponent(() => import('./pages/requests/requests-page.jsx'), 'RequestsPage'),
  ),
  page(
    '/playground',
    lazyRouteComponent(() => import('./pages/playground/playground-page.jsx'), 'PlaygroundPage'),
    'developer',
  ),
  page(
    '/media',
    lazyRouteComponent(() => import('./pages/media/media-page.jsx'), 'MediaPage'),
  ),
  page(
    '/keys',
    lazyRouteComponent(() => import('./pages/keys/keys-page.jsx'), 'KeysPage'),
    'developer',
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
    'billing',
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('./pages/account/account-page.jsx'), 'AccountPage'),
    null,
  ),
  page(
    '/parts',
    lazyRouteComponent(() => import('./pages/parts/parts-page.jsx'), 'PartsPage'),
    null,
  ),
];

/** A customer who opens one by its address reads that there is no such page. The server refuses the data, too. */
const operators = createRoute({
  getParentRoute: () => signedIn,
  id: 'operators',
  component: Outlet,
  beforeLoad: async ({ context: { queries } }) => {
    const { administrator } = await queries.ensureQueryData(sessionQuery);
    if (!administrator) throw notFound();
  },
});

const operatorPage = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({
    staticData: { least: null },
    getParentRoute: () => operators,
    path: `/operator/${path}`,
    component,
    validateSearch: textSearch,
    errorComponent: PageFailed,
  });

const operatorPages = [
  operatorPage(
    'accounts',
    lazyRouteComponent(() => import('./pages/operator-accounts/accounts-page.jsx'), 'OperatorAccountsPage'),
  ),
  operatorPage(
    'channels',
    lazyRouteComponent(() => import('./pages/operator-channels/channels-page.jsx'), 'ChannelsPage'),
  ),
  operatorPage(
    'queues',
    lazyRouteComponent(() => import('./pages/operator-queues/queues-page.jsx'), 'QueuesPage'),
  ),
  operatorPage(
    'tasks',
    lazyRouteComponent(() => import('./pages/operator-tasks/tasks-page.jsx'), 'OperatorTasksPage'),
  ),
  operatorPage(
    'proof',
    lazyRouteComponent(() => import('./pages/operator-proof/proof-page.jsx'), 'ProofPage'),
  ),
  operatorPage(
    'webhooks',
    lazyRouteComponent(() => import('./pages/operator-webhooks/operator-webhooks-page.jsx'), 'OperatorWebhooksPage'),
  ),
  operatorPage(
    'audit',
    lazyRouteComponent(() => import('./pages/operator-audit/operator-audit-page.jsx'), 'OperatorAuditPage'),
  ),
  operatorPage(
    'alerts',
    lazyRouteComponent(() => import('./pages/operator-alerts/alerts-page.jsx'), 'AlertsPage'),
  ),
  operatorPage(
    'system',
    lazyRouteComponent(() => import('./pages/operator-system/system-page.jsx'), 'SystemPage'),
  ),
];

/** Every address of the console. A page is loaded when it is first opened. */
export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([...entries, signedIn.addChildren([...pages, operators.addChildren(operatorPages)])]),
    basepath: '/console',
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
