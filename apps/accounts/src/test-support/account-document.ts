import {
  type ControllerRoute,
  controllerRoutes,
  type DescribedRoute,
  type DocumentSetup,
} from '@gateway/api-description';
import { MEMBER_ROLES } from '@gateway/contracts';
import { accessTable } from '@gateway/json-service';
import { CONTROLLERS } from '../app.module.js';
import { accountWebhooks } from '../webhooks/account-webhooks.js';

/** The credentials that each guard admits, by the names of the security schemes. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  AdminGuard: ['adminToken'],
  PersonGuard: ['session', 'sessionCookie'],
  SessionGuard: ['session', 'sessionCookie'],
  KeyGuard: ['session', 'sessionCookie', 'apiKey'],
  AccountReadGuard: ['session', 'sessionCookie', 'apiKey'],
};

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

const TAGS = {
  account: 'Registration, login, settings.',
  person: 'Who is logged in.',
  sessions: 'Where a person is logged in.',
  passwordResets: 'A new password by mail.',
  confirmations: 'Addresses that are proved by mail.',
  invitations: 'Who is asked to join an organisation.',
  organisations: 'The organisations of a person.',
  members: 'The people of an organisation, with their roles and caps.',
  keys: 'API keys: create, limit, rotate, revoke.',
  models: 'What a key may call, and how fast each model answers here.',
  quotes: 'What a request would hold and cost.',
  statements: 'Balance, ledger, usage, requests and receipts.',
  media: 'Video tasks, kept files, batches and kept requests.',
  webhooks: 'Endpoints that receive events, their deliveries and signing secrets.',
  events: 'All events of the account, with or without a webhook.',
  audit: 'Who changed what.',
  accounts: 'Administrators: accounts, credits, prices.',
  margin: 'Administrators: what customers pay beside what vendors bill.',
  reconciliation: 'Administrators: the ledger compared with Redis.',
  findings: 'Administrators: the rows behind the numbers of the reconciliation.',
  channels: "Administrators: the vendors' channels, and what is set for them.",
  vendor_bills: "Administrators: vendors' usage exports beside the receipts.",
  administrators: 'Administrators with names.',
  operations: 'Administrators: queues, open tasks, alerts with their runbooks, the system.',
};

const INTRODUCTION = `People, keys, money and webhooks: the account address (\`accountUrl\`). The models are at the public address.

Amounts are decimal strings of USD. Times are ISO 8601. Lists have one shape: \`{"data": […], "next_cursor": "…"}\`.
An error is \`{"error": {"message", "type", "param", "code"}}\`; it names the field and what was expected.
An unknown field, and a query parameter that a route does not have, is a 400 too.
Clients ignore fields that they do not know: answers may get new ones.`;

const guardsOf = new Map(accessTable(CONTROLLERS).map(({ route, access }) => [route, access]));

function credentialsOf(route: string): readonly string[] {
  const guards = guardsOf.get(route) ?? [];
  const known = guards.flatMap((guard) => CREDENTIALS[guard] ?? []);
  if (guards.some((guard) => guard.endsWith('Guard')) && known.length === 0) {
    throw new Error(`${route}: name the credentials of ${guards.join(', ')} in test-support/account-document.ts`);
  }
  return [...new Set(known)];
}

const accessOf = (route: string): Pick<DescribedRoute, 'security' | 'leastRole'> => ({
  security: credentialsOf(route),
  leastRole: MEMBER_ROLES.find((role) => guardsOf.get(route)?.includes(role)),
});

/** Every route of the account address. */
export const accountRoutes: readonly ControllerRoute[] = controllerRoutes(CONTROLLERS);

/** What the document is built of. `recorded`: the answers of a scenario. */
export const accountDocument = (recorded: DocumentSetup['recorded']): DocumentSetup => ({
  title: 'Unified Model Gateway: account interface',
  description: INTRODUCTION,
  version: '1.0.0',
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  securitySchemes: {
    session: bearer('The token of a session: `account.login` returns it.'),
    sessionCookie: { type: 'apiKey', in: 'cookie', name: '__Host-session', description: 'The same, in a browser.' },
    apiKey: bearer('An API key (`sk-…`). Some routes need the scope `account:read`.'),
    adminToken: bearer('`ADMIN_TOKEN` of the deployment.'),
  },
  routes: accountRoutes.flatMap(({ method, path, description }): DescribedRoute[] =>
    description === undefined ? [] : [{ method, path, description, ...accessOf(`${method} ${path}`) }],
  ),
  common: {
    errors: [
      'invalid_request',
      'invalid_json',
      'invalid_api_key',
      'permission_denied',
      'not_found',
      'method_not_allowed',
      'request_timeout',
      'request_too_large',
      'unsupported_media_type',
      'rate_limit_exceeded',
      'internal_error',
      'service_unavailable',
    ],
    headers: ['x-request-id'],
  },
  recorded,
  variables: {
    baseUrl: 'GATEWAY_ACCOUNT_URL',
    tokens: { session: 'GATEWAY_SESSION', adminToken: 'GATEWAY_ADMIN_TOKEN', apiKey: 'GATEWAY_API_KEY' },
  },
  webhooks: accountWebhooks,
});
