/**
 * Who may call a route. `reader`: a person with a session or a program with a key. `account-reader`: a session, or a
 * key with the scope `account:read`. `bearer`: a key, where the protocol sends it.
 */
export type Access = 'open' | 'key' | 'bearer' | 'person' | 'reader' | 'account-reader' | 'administrator' | 'machine';

export interface Route {
  readonly service: 'api-edge' | 'billing' | 'mcp-server';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path as the controller declares it. */
  readonly path: string;
  readonly access: Access;
  /** Enough to pass validation, or nearly: an unauthorized caller must be rejected before anything else. */
  readonly body?: object;
}

const messages = [{ role: 'user', content: 'x' }];

const edge = (method: Route['method'], path: string, body?: object): Route => ({
  service: 'api-edge',
  method,
  path,
  access: 'key',
  ...(body !== undefined && { body }),
});

const billing = (access: Access, method: Route['method'], path: string, body?: object): Route => ({
  service: 'billing',
  method,
  path,
  access,
  ...(body !== undefined && { body }),
});

const tools = (method: Route['method'], body?: object): Route => ({
  service: 'mcp-server',
  method,
  path: '/mcp',
  access: 'bearer',
  ...(body !== undefined && { body }),
});

/** Every route of the services: the scenario fails if a controller declares a route that is missing here. */
export const ROUTES: readonly Route[] = [
  edge('GET', '/v1/models'),
  edge('GET', '/v1/models/:id'),
  edge('POST', '/v1/chat/completions', { model: 'gm-2.5-flash', messages: messages }),
  edge('POST', '/v1/messages', { model: 'gm-2.5-flash', max_tokens: 5, messages: messages }),
  edge('POST', '/v1/messages/count_tokens', { model: 'gm-2.5-flash', messages: messages }),
  edge('POST', '/v1/embeddings', { model: 'text-embedding-v4', input: 'x' }),
  edge('POST', '/v1/audio/speech', { model: 'qn3-tts-flash', input: 'x' }),
  edge('POST', '/v1/images/generations', { model: 'grok-imagine-image', prompt: 'x' }),
  edge('POST', '/v1/images/edits', {}),
  edge('POST', '/v1/videos/generations', { model: 'wn2.7-t2v', input: { prompt: 'x' } }),
  edge('GET', '/v1/requests/:id/result'),
  edge('GET', '/v1/videos/generations'),
  edge('GET', '/v1/videos/generations/:id'),
  edge('GET', '/v1/videos/generations/:id/events'),
  edge('POST', '/v1/videos/generations/:id/cancel'),

  tools('POST', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  tools('GET'),
  tools('DELETE'),

  billing('open', 'POST', '/account/register', { email: 'unknown', password: 'x' }),
  billing('open', 'POST', '/account/login', { email: 'unknown', password: 'x' }),
  billing('person', 'GET', '/account/settings'),
  billing('person', 'PATCH', '/account/settings', { low_balance_usd: '2' }),
  billing('person', 'POST', '/account/password', { password: 'x', new_password: 'x' }),
  billing('person', 'POST', '/account/keys', { name: 'by the scenario' }),
  billing('person', 'GET', '/account/keys'),
  billing('person', 'PATCH', '/account/keys/:id', { name: 'changed' }),
  billing('person', 'DELETE', '/account/keys/:id'),
  billing('person', 'POST', '/account/keys/:id/rotate', { grace_seconds: 0 }),
  billing('reader', 'GET', '/account/balance'),
  billing('account-reader', 'GET', '/account/ledger'),
  billing('account-reader', 'GET', '/account/usage'),
  billing('reader', 'GET', '/account/requests/:requestId'),
  billing('reader', 'POST', '/account/quote', { endpoint: 'embeddings', body: { model: 'vg-4', input: 'x' } }),
  billing('person', 'GET', '/account/audit'),
  billing('person', 'POST', '/account/webhook-endpoints', { url: 'https://example.com/by-the-scenario' }),
  billing('account-reader', 'GET', '/account/webhook-endpoints'),
  billing('account-reader', 'GET', '/account/webhook-endpoints/:id'),
  billing('person', 'PATCH', '/account/webhook-endpoints/:id', { description: 'changed' }),
  billing('person', 'DELETE', '/account/webhook-endpoints/:id'),
  billing('person', 'POST', '/account/webhook-endpoints/:id/test', {}),
  billing('account-reader', 'GET', '/account/webhook-deliveries'),
  billing('account-reader', 'GET', '/account/webhook-deliveries/:id'),
  billing('person', 'POST', '/account/webhook-deliveries/:id/replay', {}),
  billing('person', 'POST', '/account/webhook-deliveries/replay', { from: '2026-01-01T00:00:00Z' }),
  billing('account-reader', 'GET', '/account/webhook-secret'),
  billing('person', 'POST', '/account/webhook-secret/rotate', { grace_seconds: 0 }),
  billing('account-reader', 'GET', '/account/events'),
  billing('administrator', 'GET', '/admin/audit'),
  billing('administrator', 'GET', '/admin/accounts'),
  billing('administrator', 'GET', '/admin/accounts/:id'),
  billing('administrator', 'GET', '/admin/accounts/:id/requests/:requestId'),
  billing('administrator', 'PATCH', '/admin/accounts/:id', { rpm: 5 }),
  billing('administrator', 'POST', '/admin/accounts/:id/credits', {
    amount_usd: '1',
    reason: 'x',
    reference: 'scenario',
  }),
  billing('administrator', 'POST', '/admin/accounts/:id/reversals', { kind: 'credit', reference: 'x', reason: 'x' }),
  billing('administrator', 'GET', '/admin/accounts/:id/prices'),
  billing('administrator', 'POST', '/admin/accounts/:id/prices', { model: 'vg-4', per_million: null, reason: 'x' }),
  billing('administrator', 'POST', '/admin/accounts/:id/webhook-deliveries/replay', { from: '2026-01-01T00:00:00Z' }),
  billing('administrator', 'GET', '/admin/reconciliation'),
  billing('machine', 'POST', '/internal/escrow', { accountId: 'acct_x', missingNanoUsd: '1' }),
  // Last, because it ends the session of the caller.
  billing('open', 'POST', '/account/logout', {}),
];
