/**
 * Who may call a route. `reader`: a person with a session or a program with a key. `account-reader`: a session, or a
 * key with the scope `account:read`. `bearer`: a key, where the protocol sends it.
 * `machine`: an edge. `ledger`: the service `accounts`.
 */
export type Access =
  | 'open'
  | 'key'
  | 'bearer'
  | 'person'
  | 'reader'
  | 'account-reader'
  | 'administrator'
  | 'machine'
  | 'ledger';

export interface Route {
  readonly service: 'accounts' | 'api-edge' | 'billing' | 'mcp-server';
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

const accounts = (access: Access, method: Route['method'], path: string, body?: object): Route => ({
  service: 'accounts',
  method,
  path,
  access,
  ...(body !== undefined && { body }),
});

const internal = (access: Access, path: string, body: object): Route => ({
  service: 'billing',
  method: 'POST',
  path,
  access,
  body,
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
  edge('POST', '/v1/responses', { model: 'gp-5.4-mini', input: 'x' }),
  edge('POST', '/v1/messages', { model: 'gm-2.5-flash', max_tokens: 5, messages: messages }),
  edge('POST', '/v1/messages/count_tokens', { model: 'gm-2.5-flash', messages: messages }),
  edge('GET', '/v1beta/models'),
  edge('GET', '/v1beta/models/:id'),
  edge('POST', '/v1beta/models/:call', { contents: [{ parts: [{ text: 'x' }] }] }),
  edge('POST', '/v1/models/:call', { contents: [{ parts: [{ text: 'x' }] }] }),
  edge('POST', '/v1/completions', { model: 'gm-2.5-flash', prompt: 'x' }),
  edge('POST', '/v1/rerank', { model: 'rerank-2.5', query: 'x', documents: ['y'] }),
  edge('POST', '/v1/embeddings', { model: 'text-embedding-v4', input: 'x' }),
  edge('POST', '/v1/audio/speech', { model: 'qn3-tts-flash', input: 'x' }),
  edge('POST', '/v1/images/generations', { model: 'grok-imagine-image', prompt: 'x' }),
  edge('POST', '/v1/images/edits', {}),
  edge('POST', '/v1/audio/transcriptions', {}),
  edge('POST', '/v1/videos/generations', { model: 'wn2.7-t2v', input: { prompt: 'x' } }),
  edge('POST', '/v1/responses/input_tokens', { model: 'gp-5.4-mini', input: 'x' }),
  edge('POST', '/v1/responses/compact', { model: 'gp-5.4-mini', input: 'x' }),
  edge('GET', '/v1/responses/:id'),
  edge('DELETE', '/v1/responses/:id'),
  edge('GET', '/v1/responses/:id/input_items'),
  edge('POST', '/v1/responses/:id/cancel'),
  edge('POST', '/v1/conversations', {}),
  edge('GET', '/v1/conversations/:id'),
  edge('POST', '/v1/conversations/:id', { metadata: {} }),
  edge('DELETE', '/v1/conversations/:id'),
  edge('POST', '/v1/conversations/:id/items', { items: [] }),
  edge('GET', '/v1/conversations/:id/items'),
  edge('GET', '/v1/conversations/:id/items/:itemId'),
  edge('DELETE', '/v1/conversations/:id/items/:itemId'),
  edge('GET', '/v1/requests/:id'),
  edge('DELETE', '/v1/requests/:id'),
  edge('GET', '/v1/requests/:id/result'),
  edge('GET', '/v1/requests/:id/events'),
  edge('GET', '/v1/requests/:id/stream'),
  edge('POST', '/v1/requests/:id/cancel'),
  edge('POST', '/v1/files'),
  edge('POST', '/v1/batches', {}),
  edge('GET', '/v1/batches'),
  edge('GET', '/v1/batches/:id'),
  edge('POST', '/v1/batches/:id/cancel', {}),
  edge('POST', '/v1/messages/batches', {}),
  edge('GET', '/v1/messages/batches'),
  edge('GET', '/v1/messages/batches/:id'),
  edge('GET', '/v1/messages/batches/:id/results'),
  edge('POST', '/v1/messages/batches/:id/cancel', {}),
  edge('DELETE', '/v1/messages/batches/:id'),
  edge('GET', '/v1/files'),
  edge('GET', '/v1/files/:id'),
  edge('DELETE', '/v1/files/:id'),
  edge('GET', '/v1/files/:id/content'),
  edge('POST', '/v1/files/:id/link', {}),
  edge('GET', '/v1/videos/generations'),
  edge('GET', '/v1/videos/generations/:id'),
  edge('GET', '/v1/videos/generations/:id/events'),
  edge('POST', '/v1/videos/generations/:id/cancel'),
  edge('DELETE', '/v1/videos/generations/:id/media'),

  tools('POST', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  tools('GET'),
  tools('DELETE'),

  accounts('open', 'POST', '/account/register', { email: 'unknown', password: 'x' }),
  accounts('open', 'POST', '/account/login', { email: 'unknown', password: 'x' }),
  accounts('person', 'GET', '/account/settings'),
  accounts('person', 'PATCH', '/account/settings', { low_balance_usd: '2' }),
  accounts('account-reader', 'GET', '/account/storage'),
  accounts('person', 'PATCH', '/account/storage', { media_days: 7 }),
  accounts('person', 'GET', '/account/session'),
  accounts('person', 'GET', '/account/person'),
  accounts('person', 'PATCH', '/account/person', {}),
  accounts('person', 'GET', '/account/sessions'),
  accounts('person', 'DELETE', '/account/sessions/:id'),
  accounts('person', 'GET', '/account/organisations'),
  accounts('person', 'POST', '/account/organisations', { name: 'by the scenario' }),
  accounts('person', 'POST', '/account/organisations/:id/choose', {}),
  accounts('person', 'GET', '/account/members'),
  accounts('person', 'POST', '/account/person/confirmation', {}),
  accounts('person', 'POST', '/account/person/email', { email: 'other@example.com', password: 'x' }),
  accounts('open', 'POST', '/account/confirmations', { token: 'x' }),
  accounts('open', 'POST', '/account/password-resets', { email: 'unknown' }),
  accounts('open', 'POST', '/account/password-resets/complete', { token: 'x', new_password: 'x' }),
  accounts('person', 'POST', '/account/invitations', { email: 'unknown', role: 'viewer' }),
  accounts('person', 'GET', '/account/invitations'),
  accounts('person', 'POST', '/account/invitations/:id/resend', {}),
  accounts('person', 'DELETE', '/account/invitations/:id'),
  accounts('open', 'POST', '/account/invitations/find', { token: 'x' }),
  accounts('open', 'POST', '/account/invitations/accept', { token: 'x' }),
  accounts('person', 'PATCH', '/account/members/:id', { role: 'owner' }),
  accounts('person', 'DELETE', '/account/members/:id'),
  accounts('person', 'POST', '/account/password', { password: 'x', new_password: 'x' }),
  accounts('person', 'POST', '/account/keys', { name: 'by the scenario' }),
  accounts('person', 'GET', '/account/keys'),
  accounts('person', 'PATCH', '/account/keys/:id', { name: 'changed' }),
  accounts('person', 'DELETE', '/account/keys/:id'),
  accounts('person', 'POST', '/account/keys/:id/rotate', { grace_seconds: 0 }),
  accounts('reader', 'POST', '/account/keys/:id/children', { name: 'x', budget_usd: '1' }),
  accounts('reader', 'DELETE', '/account/keys/:id/children/:childId'),
  accounts('reader', 'GET', '/account/keys/:id/tree'),
  accounts('reader', 'GET', '/account/balance'),
  accounts('account-reader', 'GET', '/account/ledger'),
  accounts('account-reader', 'GET', '/account/models'),
  accounts('account-reader', 'GET', '/account/usage'),
  accounts('reader', 'GET', '/account/requests'),
  accounts('reader', 'GET', '/account/requests/:requestId'),
  accounts('reader', 'POST', '/account/quote', { endpoint: 'embeddings', body: { model: 'vg-4', input: 'x' } }),
  accounts('person', 'GET', '/account/audit'),
  accounts('person', 'POST', '/account/webhook-endpoints', { url: 'https://example.com/by-the-scenario' }),
  accounts('account-reader', 'GET', '/account/webhook-endpoints'),
  accounts('account-reader', 'GET', '/account/webhook-endpoints/:id'),
  accounts('person', 'PATCH', '/account/webhook-endpoints/:id', { description: 'changed' }),
  accounts('person', 'DELETE', '/account/webhook-endpoints/:id'),
  accounts('person', 'POST', '/account/webhook-endpoints/:id/test', {}),
  accounts('account-reader', 'GET', '/account/webhook-deliveries'),
  accounts('account-reader', 'GET', '/account/webhook-deliveries/:id'),
  accounts('person', 'POST', '/account/webhook-deliveries/:id/replay', {}),
  accounts('person', 'POST', '/account/webhook-deliveries/replay', { from: '2026-01-01T00:00:00Z' }),
  accounts('account-reader', 'GET', '/account/webhook-secret'),
  accounts('person', 'POST', '/account/webhook-secret/rotate', { grace_seconds: 0 }),
  accounts('account-reader', 'GET', '/account/events'),
  accounts('account-reader', 'GET', '/account/stream'),
  accounts('account-reader', 'GET', '/account/statements'),
  accounts('account-reader', 'GET', '/account/statements/:month'),
  accounts('administrator', 'GET', '/admin/audit'),
  accounts('administrator', 'GET', '/admin/accounts'),
  accounts('administrator', 'GET', '/admin/accounts/:id'),
  accounts('administrator', 'GET', '/admin/accounts/:id/requests/:requestId'),
  accounts('administrator', 'PATCH', '/admin/accounts/:id', { rpm: 5 }),
  accounts('administrator', 'POST', '/admin/accounts/:id/credits', {
    amount_usd: '1',
    reason: 'x',
    reference: 'scenario',
  }),
  accounts('administrator', 'POST', '/admin/accounts/:id/reversals', { kind: 'credit', reference: 'x', reason: 'x' }),
  accounts('administrator', 'GET', '/admin/accounts/:id/prices'),
  accounts('administrator', 'POST', '/admin/accounts/:id/prices', { model: 'vg-4', per_million: null, reason: 'x' }),
  accounts('administrator', 'POST', '/admin/accounts/:id/webhook-deliveries/replay', { from: '2026-01-01T00:00:00Z' }),
  accounts('administrator', 'GET', '/admin/reconciliation'),
  accounts('administrator', 'GET', '/admin/margin'),
  accounts('administrator', 'GET', '/admin/queue-depths'),
  accounts('administrator', 'GET', '/admin/tasks'),
  accounts('administrator', 'GET', '/admin/webhook-endpoints'),
  accounts('administrator', 'GET', '/admin/findings/:kind'),
  accounts('administrator', 'GET', '/admin/alerts'),
  accounts('administrator', 'GET', '/admin/runbooks/:name'),
  accounts('administrator', 'GET', '/admin/system'),
  accounts('administrator', 'DELETE', '/admin/account-views/current'),
  accounts('administrator', 'POST', '/admin/vendor-bills'),
  accounts('administrator', 'GET', '/admin/vendor-bills'),
  accounts('administrator', 'GET', '/admin/vendor-bills/:id'),
  accounts('administrator', 'GET', '/admin/vendor-bills/:id/items'),
  accounts('administrator', 'GET', '/admin/administrators'),
  accounts('administrator', 'POST', '/admin/administrators', { name: 'by the scenario' }),
  accounts('administrator', 'DELETE', '/admin/administrators/:id'),
  accounts('administrator', 'POST', '/admin/accounts/:id/views', { reason: 'by the scenario' }),
  accounts('administrator', 'GET', '/admin/channels'),
  accounts('administrator', 'GET', '/admin/channels/:id'),
  accounts('administrator', 'PATCH', '/admin/channels/:id', { state: 'active', reason: 'x' }),
  internal('machine', '/internal/escrow', { accountId: 'acct_x', missingNanoUsd: '1' }),
  internal('ledger', '/internal/accounts/:id/credits', {}),
  internal('ledger', '/internal/accounts/:id/reversals', {}),
  { service: 'billing', access: 'ledger', method: 'GET', path: '/internal/reconciliation' },
  // Last, because they end sessions of the caller.
  accounts('person', 'DELETE', '/account/sessions'),
  accounts('open', 'POST', '/account/logout', {}),
];
