import type { Agent } from 'node:http';
import { type Customer, eventually, fullResponse, type SeededRandom, type TestStack } from '@gateway/testing';
import { expect } from '@jest/globals';
import { Batches, lineOf } from '../batches/batches.js';
import { openResponsesSocket } from '../support/responses-socket.js';
import { FILE, IMAGE, user, VIDEO } from './costly-messages.js';

interface HostileRequest {
  readonly path: string;
  readonly body: object;
}

const CHAT = '/v1/chat/completions';
const chat = (body: object): HostileRequest => ({ path: CHAT, body });
const withDirective = (random: SeededRandom, name: string, most: number): string =>
  `{{sim ${name}=${random.whole(1, most)}}} ${random.whole(0, 1e9)}`;
const SMALL = ['gm-2.5-flash', 'gm-2.5-pro', 'qn3.8-omni-flash'];

type Trick = (random: SeededRandom) => HostileRequest;

/** What an account tries by chat that wants more than it can pay for. */
const CHATS: readonly Trick[] = [
  (random) => chat({ model: 'gp-5.4-pro', messages: user(withDirective(random, 'reasoning_tokens', 120_000)) }),
  (random) =>
    chat({
      model: random.pick(['gp-5.4-pro', 'gp-5-pro']),
      max_completion_tokens: random.whole(16, 3_000),
      messages: user(withDirective(random, 'reasoning_tokens', 90_000)),
    }),
  (random) =>
    chat({
      model: random.pick(SMALL),
      ...(random.chance(0.5) && { max_tokens: random.whole(1, 2_000) }),
      messages: user(withDirective(random, 'reasoning_tokens', 60_000)),
    }),
  (random) =>
    chat({
      model: random.pick(SMALL),
      max_tokens: random.whole(1, 50),
      messages: user(withDirective(random, 'prompt_tokens', 980_000), VIDEO),
    }),
  (random) => chat({ model: 'gp-5.4-mini', messages: user(withDirective(random, 'prompt_tokens', 250_000), FILE) }),
  (random) => chat({ model: 'cl-sonnet-4-6', messages: user(withDirective(random, 'prompt_tokens', 1_500), IMAGE) }),
  (random) => chat({ model: 'cl-opus-4-7', messages: user(withDirective(random, 'completion_tokens', 50_000)) }),
];

const search: Trick = (random) => ({
  path: '/v1/messages',
  body: {
    model: 'cl-sonnet-4-6',
    max_tokens: random.whole(1, 4_000),
    stream: random.chance(0.5),
    tools: [{ type: 'web_search_20250305', name: 'web_search', ...(random.chance(0.5) && { max_uses: 5 }) }],
    messages: user(withDirective(random, 'searches', 40)),
  },
});
const think: Trick = (random) => ({
  path: '/v1/images/generations',
  body: { model: 'gm-3.1-flash-image-preview', input: withDirective(random, 'reasoning_tokens', 60_000) },
});
const streamed: Trick = (random) => {
  const { path, body } = random.pick(CHATS.slice(2, 4))(random);
  return { path, body: { ...body, stream: true } };
};

const { filename, file_data } = FILE.file;

/** What it tries by turns of the Responses protocol. */
const TURNS: readonly ((random: SeededRandom) => object)[] = [
  (random) => ({
    model: random.pick(['gp-5.4-pro', 'gp-5.4-mini', 'gm-2.5-flash']),
    input: withDirective(random, 'reasoning_tokens', 90_000),
    ...(random.chance(0.3) && { max_output_tokens: random.whole(16, 3_000) }),
  }),
  (random) => ({ model: 'cl-opus-4-7', input: withDirective(random, 'completion_tokens', 50_000) }),
  (random) => {
    const text = { type: 'input_text', text: withDirective(random, 'prompt_tokens', 250_000) };
    const content = [text, { type: 'input_file', filename, file_data }];
    return { model: 'gp-5.4-mini', input: [{ role: 'user', content }] };
  },
];

/** By status; a turn or a call of a tool has the one that its error reports. */
export type Outcomes = Map<number, number>;
const SERVED = 200;
const NO_CREDIT = 402;

export interface HostileAccount {
  readonly stack: TestStack;
  readonly customer: Customer;
  readonly agent: Agent;
  readonly random: SeededRandom;
}

const drawn = <Item>(count: number, draw: () => Item): Item[] => Array.from({ length: count }, draw);

const send = async ({ stack, customer, agent }: HostileAccount, { path, body }: HostileRequest): Promise<number> =>
  (await fullResponse(stack.baseUrl, { path, key: customer.apiKey, body, agent })).status;

/** Sends requests at once. */
function overHttp(account: HostileAccount, count: number): Promise<readonly number[]> {
  const { random } = account;
  const requests = drawn(count, () => random.pick([...CHATS, search, think, streamed])(random));
  return Promise.all(requests.map((request) => send(account, request)));
}

const TURNS_OF_SOCKET = 5;

/** Takes one turn after the other on a socket; each continues the last one that was served. */
async function takeTurns({ stack, customer }: HostileAccount, turns: readonly object[]): Promise<readonly number[]> {
  const socket = await openResponsesSocket(stack.baseUrl, customer.apiKey);
  const statuses: number[] = [];
  let previous: object = {};
  for (const message of turns) {
    const last = (await socket.turn({ ...message, ...previous })).at(-1);
    const isServed = last?.type === 'response.completed' || last?.type === 'response.incomplete';
    // A refused turn ends what the socket remembers.
    previous = isServed ? { previous_response_id: last.response?.id } : {};
    statuses.push(isServed ? SERVED : (last?.status ?? 0));
  }
  socket.socket.close();
  return statuses;
}

/** Opens several sockets at once. Half of them store their responses. */
async function overSockets(account: HostileAccount, count: number): Promise<readonly number[]> {
  const { random } = account;
  const sockets = drawn(count / TURNS_OF_SOCKET, () => {
    const store = random.chance(0.5);
    return drawn(TURNS_OF_SOCKET, () => ({ ...random.pick(TURNS)(random), store }));
  });
  return (await Promise.all(sockets.map((turns) => takeTurns(account, turns)))).flat();
}

interface ToolAnswer {
  readonly result: { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] };
}

/** Calls tools at once, each in a request of its own. */
async function overTools(account: HostileAccount, count: number): Promise<readonly number[]> {
  const { stack, customer, agent, random } = account;
  const { origin, pathname } = new URL(stack.system.mcpUrl ?? '');
  const headers = { accept: 'application/json, text/event-stream' };
  const call = async ({ path, body }: HostileRequest): Promise<number> => {
    const params = { name: path === CHAT ? 'chat' : 'message', arguments: body };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const raw = { key: customer.apiKey, path: pathname, body: message, headers, agent };
    const { status, text } = await fullResponse(origin, raw);
    if (status !== SERVED) return status;
    const answer = text.split('\n').findLast((line) => line.startsWith('data: {')) ?? `data: ${text}`;
    const { result } = JSON.parse(answer.slice('data: '.length)) as ToolAnswer;
    if (result.isError !== true) return SERVED;
    return result.content.some((block) => /^(insufficient_balance|billing_error):/.test(block.text ?? ''))
      ? NO_CREDIT
      : 0;
  };
  return Promise.all(drawn(count, () => call(random.pick([...CHATS, search])(random))));
}

/** Starts a batch that wants more than the account has, and leaves it. It waits for credit until it is cancelled. */
async function startBatch(account: HostileAccount, count: number): Promise<void> {
  const { stack, customer, random } = account;
  const lines = drawn(count, () => random.pick(CHATS)(random).body);
  await new Batches(stack, customer).create(lines.map((body, at) => lineOf(String(at), body)));
}

const BURST = 20;
const WAYS = [overHttp, overTools, overHttp, overSockets, overHttp, overTools, overHttp, overSockets, overHttp];
/** The lines of its batch come on top. */
export const REQUESTS_ANSWERED = BURST * WAYS.length;

/** Sends what an account may try by every way, a burst after the other. The lines of a batch run beside them. */
export async function attack(account: HostileAccount, outcomes: Outcomes): Promise<void> {
  await startBatch(account, BURST);
  for (const way of WAYS) {
    for (const status of await way(account, BURST)) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  }
}

/** Ends the batches of an account, and counts the statuses of the lines that ended. */
export async function endBatches({ stack, customer }: HostileAccount, outcomes: Outcomes): Promise<void> {
  const batches = new Batches(stack, customer);
  for await (const { id } of batches.openai.batches.list()) {
    // It may have ended meanwhile.
    await batches.openai.batches.cancel(id).catch(() => undefined);
    const ended = await eventually(
      async () => {
        const batch = await batches.openai.batches.retrieve(id);
        expect(['cancelled', 'completed']).toContain(batch.status);
        return batch;
      },
      { withinMs: 60_000, intervalMs: 200 },
    );
    for (const { response } of await batches.results(ended.output_file_id)) {
      const status = response?.status_code ?? 0;
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
  }
}
