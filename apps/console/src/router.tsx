import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isGatewayError } from './api/failures.js';
import type { Role } from './api/roles.js';
import { sessionQuery } from './api/session.js';
import { settingsQuery } from './api/settings.js';
import { NotFound, PageFailed, PageLoads, PageMissing } from './frame/fallbacks.jsx';
import { Shell } from './frame/shell.jsx';
import { lazyPart } from './parts/lazy-part.jsx';

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

/** A page has a file of its own, which is loaded when a link to it is pointed at, or when it opens. */
const lazyPage = <Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) =>
  lazyPart(load, name, { Waiting: PageLoads, Failed: PageMissing }) as RouteComponent;

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });

/** A page for everybody: the forms before a session, and what the links of mails open. */
const entry = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: textSearch, errorComponent: PageFailed });

const entries = [
  entry(
    '/sign-in',
    lazyPage(() => import('./pages/sign-in/sign-in-page.jsx'), 'SignInPage'),
  ),
  entry(
    '/create-account',
    lazyPage(() => import('./pages/sign-in/create-account-page.jsx'), 'CreateAccountPage'),
  ),
  entry(
    '/forgot-password',
    lazyPage(() => import('./pages/mail-links/forgot-password-page.jsx'), 'ForgotPasswordPage'),
  ),
  entry(
    '/reset-password',
    lazyPage(() => import('./pages/mail-links/reset-password-page.jsx'), 'ResetPasswordPage'),
  ),
  entry(
    '/confirm',
    lazyPage(() => import('./pages/mail-links/confirm-page.jsx'), 'ConfirmPage'),
  ),
  entry(
    '/accept-invitation',
    lazyPage(() => import('./pages/mail-links/accept-invitation-page.jsx'), 'AcceptInvitationPage'),
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
const page = (path: string, component: RouteComponent, least: Role | null = 'viewer') =>
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
    lazyPage(() => import('./pages/overview/overview-page.jsx'), 'OverviewPage'),
  ),
  page(
    '/first-call',
    lazyPage(() => import('./pages/first-call/first-call-page.jsx'), 'FirstCallPage'),
    'developer',
  ),
  page(
    '/requests',
    lazyPage(() => import('./pages/requests/requests-page.jsx'), 'RequestsPage'),
  ),
  page(
    '/playground',
    lazyPage(() => import('./pages/playground/playground-page.jsx'), 'PlaygroundPage'),
    'developer',
  ),
  page(
    '/media',
    lazyPage(() => import('./pages/media/media-page.jsx'), 'MediaPage'),
  ),
  page(
    '/keys',
    lazyPage(() => import('./pages/keys/keys-page.jsx'), 'KeysPage'),
    'developer',
  ),
  page(
    '/models',
    lazyPage(() => import('./pages/models/models-page.jsx'), 'ModelsPage'),
  ),
  page(
    '/webhooks',
    lazyPage(() => import('./pages/webhooks/webhooks-page.jsx'), 'WebhooksPage'),
  ),
  page(
    '/billing',
    lazyPage(() => import('./pages/billing/billing-page.jsx'), 'BillingPage'),
    'billing',
  ),
  page(
    '/account',
    lazyPage(() => import('./pages/account/account-page.jsx'), 'AccountPage'),
    null,
  ),
  page(
    '/parts',
    lazyPage(() => import('./pages/parts/parts-page.jsx'), 'PartsPage'),
    null,
  ),
  // What no other page has: the navigation stays.
  createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound, staticData: { least: null } }),
];

/** A customer who opens one by its address reads that there is no such page. The server refuses the data, too. */
const operators = createRoute({
  getParentRoute: () => signedIn,
  id: 'operators',
  component: Outlet,
  notFoundComponent: NotFound,
  beforeLoad: async ({ context: { queries } }) => {
    const { administrator } = await queries.ensureQueryData(sessionQuery);
    if (!administrator) throw notFound();
  },
});

const operatorPage = (path: string, component: RouteComponent) =>
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
    lazyPage(() => import('./pages/operator-accounts/accounts-page.jsx'), 'OperatorAccountsPage'),
  ),
  operatorPage(
    'channels',
    lazyPage(() => import('./pages/operator-channels/channels-page.jsx'), 'ChannelsPage'),
  ),
  operatorPage(
    'queues',
    lazyPage(() => import('./pages/operator-queues/queues-page.jsx'), 'QueuesPage'),
  ),
  operatorPage(
    'tasks',
    lazyPage(() => import('./pages/operator-tasks/tasks-page.jsx'), 'OperatorTasksPage'),
  ),
  operatorPage(
    'proof',
    lazyPage(() => import('./pages/operator-proof/proof-page.jsx'), 'ProofPage'),
  ),
  operatorPage(
    'webhooks',
    lazyPage(() => import('./pages/operator-webhooks/operator-webhooks-page.jsx'), 'OperatorWebhooksPage'),
  ),
  operatorPage(
    'audit',
    lazyPage(() => import('./pages/operator-audit/operator-audit-page.jsx'), 'OperatorAuditPage'),
  ),
  operatorPage(
    'alerts',
    lazyPage(() => import('./pages/operator-alerts/alerts-page.jsx'), 'AlertsPage'),
  ),
  operatorPage(
    'system',
    lazyPage(() => import('./pages/operator-system/system-page.jsx'), 'SystemPage'),
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
