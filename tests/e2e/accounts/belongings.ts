import { type Customer, callJson, encodedForm, eventually, fullResponse, type TestStack } from '@gateway/testing';
import { expect } from '@jest/globals';

const CHAT = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'x' }] };
const LINE = JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: CHAT });
const WEBHOOK = { url: 'https://example.com/by-the-scenario' };

/** The ids of one of everything that an account can have. */
export type Belongings = Readonly<Record<(typeof KINDS)[number], string>>;

const KINDS = [
  'account',
  'batch',
  'child',
  'conversation',
  'delivery',
  'endpoint',
  'file',
  'interaction',
  'invitation',
  'item',
  'key',
  'member',
  'messageBatch',
  'receipt',
  'request',
  'response',
  'session',
  'storedInteraction',
  'task',
] as const;

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

/** Makes one of everything for a customer with credit, through the public interfaces. */
export async function makeBelongings(stack: TestStack, customer: Customer): Promise<Belongings> {
  const owner = new Owner(stack, customer);
  const file = await owner.upload();
  const conversation = await owner.make('/v1/conversations', { items: [{ role: 'user', content: 'x' }] });
  return {
    account: customer.accountId,
    key: customer.keyId,
    file,
    conversation,
    item: await owner.first(`${stack.baseUrl}/v1/conversations/${conversation}/items`, customer.apiKey),
    response: await owner.make('/v1/responses', { model: 'gp-5.4-mini', input: 'x' }),
    request: await owner.make('/v1/chat/completions', CHAT, { prefer: 'respond-async' }),
    batch: await owner.make('/v1/batches', {
      input_file_id: file,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    }),
    messageBatch: await owner.make('/v1/messages/batches', {
      requests: [{ custom_id: 'a', params: { ...CHAT, max_tokens: 5 } }],
    }),
    task: await owner.make('/v1/videos/generations', { model: 'wn2.7-t2v', input: { prompt: 'x' } }),
    interaction: await owner.make('/v1/images/generations', { model: 'gm-2.5-flash-image', input: 'x' }),
    storedInteraction: await owner.make('/v1beta/interactions', { model: 'gm-2.5-flash', input: 'x' }),
    receipt: await owner.receipt(),
    ...(await owner.ofTheAccount()),
  };
}

class Owner {
  constructor(
    private readonly stack: TestStack,
    private readonly customer: Customer,
  ) {}

  async make(path: string, body: object, headers: Record<string, string> = {}): Promise<string> {
    const response = await fullResponse(this.stack.baseUrl, { path, key: this.customer.apiKey, body, headers });
    expect([path, response.status < 300, response.text]).toEqual([path, true, expect.any(String)]);
    return response.json<{ id: string }>().id;
  }

  async upload(): Promise<string> {
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new Blob([LINE]), 'input.jsonl');
    const { headers, body } = await encodedForm(form);
    const response = await fullResponse(this.stack.baseUrl, {
      path: '/v1/files',
      key: this.customer.apiKey,
      headers,
      body,
    });
    return response.json<{ id: string }>().id;
  }

  /** The id of a request whose receipt exists. */
  async receipt(): Promise<string> {
    const { headers } = await fullResponse(this.stack.baseUrl, { key: this.customer.apiKey, body: CHAT });
    const id = String(headers['x-request-id']);
    await eventually(() => this.customer.receipt(id));
    return id;
  }

  /** What people make at the account address. */
  async ofTheAccount() {
    const { keyId } = this.customer;
    await this.post('/account/invitations', { email: 'invited@example.com', role: 'viewer' });
    const { id: child } = await this.post(`/account/keys/${keyId}/children`, { name: 'child', budget_usd: '0.10' });
    const { id: endpoint } = await this.post('/account/webhook-endpoints', WEBHOOK);
    await this.post(`/account/webhook-endpoints/${endpoint}/test`, {});
    const listed = (path: string) => this.first(`${this.stack.system.accountUrl}${path}`, this.customer.token);
    return {
      child,
      endpoint,
      delivery: await listed('/account/webhook-deliveries'),
      invitation: await listed('/account/invitations'),
      member: await listed('/account/members'),
      session: await listed('/account/sessions'),
    };
  }

  post(path: string, body: object): Promise<{ readonly id: string }> {
    return callJson(`${this.stack.system.accountUrl}${path}`, { method: 'POST', token: this.customer.token, body });
  }

  async first(url: string, token: string): Promise<string> {
    const { data } = await callJson<Listed>(url, { token });
    return String(data[0]?.id);
  }
}

/** What the parameter of a route names. */
const NAMED: readonly (readonly [prefix: string, kind: keyof Belongings])[] = [
  ['/v1/responses/', 'response'],
  ['/v1beta/interactions/', 'storedInteraction'],
  ['/v1/conversations/', 'conversation'],
  ['/v1/requests/', 'request'],
  ['/v1/batches/', 'batch'],
  ['/v1/messages/batches/', 'messageBatch'],
  ['/v1/files/', 'file'],
  ['/v1/videos/generations/', 'task'],
  ['/v1/videos/', 'task'],
  ['/account/tasks/', 'task'],
  ['/account/files/', 'file'],
  ['/account/batches/', 'batch'],
  ['/account/kept-requests/', 'request'],
  ['/account/sessions/', 'session'],
  ['/account/organisations/', 'account'],
  ['/account/invitations/', 'invitation'],
  ['/account/members/', 'member'],
  ['/account/keys/', 'key'],
  ['/account/requests/', 'receipt'],
  ['/account/webhook-endpoints/', 'endpoint'],
  ['/account/webhook-deliveries/', 'delivery'],
];

/** The path with ids of these belongings. Throws if the table does not have the route. */
export function pathTo(path: string, belongings: Belongings): string {
  const kind = NAMED.find(([prefix]) => path.startsWith(`${prefix}:`))?.[1];
  if (kind === undefined) throw new Error(`say in belongings.ts what ${path} takes`);
  return path
    .replace(/:(id|requestId)/, belongings[kind])
    .replace(':itemId', belongings.item)
    .replace(':childId', belongings.child);
}

/** Bodies that name what belongs to an account. */
export const bodiesWith = (ids: Belongings): readonly (readonly [path: string, body: object])[] => [
  ['/v1/batches', { input_file_id: ids.file, endpoint: '/v1/chat/completions', completion_window: '24h' }],
  ['/v1/batches/quote', { input_file_id: ids.file, endpoint: '/v1/chat/completions' }],
  ['/v1/responses', { model: 'gp-5.4-mini', input: 'x', previous_response_id: ids.response }],
  ['/v1/responses', { model: 'gm-2.5-flash', input: 'x', previous_response_id: ids.response }],
  ['/v1/responses', { model: 'gm-2.5-flash', input: 'x', conversation: ids.conversation }],
  ['/v1/responses/input_tokens', { model: 'gp-5.4-mini', input: 'x', previous_response_id: ids.response }],
  ['/v1/responses/compact', { model: 'gp-5.4-mini', input: 'x', previous_response_id: ids.response }],
  ['/v1/images/generations', { model: 'gm-2.5-flash-image', input: 'x', previous_interaction_id: ids.interaction }],
  ['/v1beta/interactions', { model: 'gm-2.5-flash-image', input: 'x', previous_interaction_id: ids.interaction }],
  ['/v1beta/interactions', { model: 'gm-2.5-flash', input: 'x', previous_interaction_id: ids.storedInteraction }],
];

const CHANGED = 6;

/** An id of the same form that no account has. */
const similarId = (id: string): string =>
  id.slice(0, -CHANGED) + id.slice(-CHANGED).replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '2');

export const similarIds = (ids: Belongings): Belongings =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [kind, similarId(id)])) as Belongings;
