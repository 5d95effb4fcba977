import { fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { expectEventSchema, expectResponseSchema } from '../support/expect-responses-schema.js';
import { isFinalEvent, openResponsesSocket, type SocketEvent } from '../support/responses-socket.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const limits = { rpm: 100_000, concurrency: 0 };
const customer = await stack.createCustomer({ creditUsd: '1000', limits });
const stranger = await stack.createCustomer({ creditUsd: '1000', limits });
const poor = await stack.createCustomer({ limits });
const MODEL = 'gp-5.4-mini';

/** A socket whose turns are of one model by default. */
async function openSocket(apiKey: string, baseUrl = stack.baseUrl) {
  const opened = await openResponsesSocket(baseUrl, apiKey);
  return { ...opened, turn: (message: object) => opened.turn({ model: MODEL, ...message }) };
}

const idOf = (events: readonly SocketEvent[]): string => events.at(-1)?.response?.id ?? '';
const textOf = (events: readonly SocketEvent[]): string =>
  (events.at(-1)?.response?.output ?? []).flatMap(({ content }) => (content ?? []).map(({ text }) => text)).join('');

/** Texts of the newest prompt that the vendor received. */
async function promptSince(seq: number): Promise<string> {
  return JSON.stringify(
    (JSON.parse((await stack.simulator.requests(seq)).at(-1)?.body ?? '{}') as { input: unknown }).input,
  );
}

describe('a socket', () => {
  it('serves the official client, and each turn is charged like a request', async () => {
    const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey });
    const before = await stack.ledger.settlementCount(customer.accountId);
    const socket = new ResponsesWS(client);
    socket.send({ type: 'response.create', model: MODEL, input: 'Hello socket' });
    const types: string[] = [];
    for await (const event of socket.stream()) {
      if (event.type === 'error') throw event.error;
      if (event.type !== 'message') continue;
      types.push(event.message.type);
      if (event.message.type === 'response.completed') break;
    }
    socket.close();
    expect(types[0]).toBe('response.created');
    expect(types).toContain('response.output_text.delta');
    await waitUntilSettled(stack, [customer]);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(before + 1);
  });

  it('continues what it has not stored, and only on the same socket', async () => {
    const socket = await openSocket(customer.apiKey);
    const first = await socket.turn({ input: 'My name is Ada', store: false });
    const since = await stack.simulator.lastSeq();
    const second = await socket.turn({ input: 'And again', store: false, previous_response_id: idOf(first) });
    expect(second.at(-1)?.type).toBe('response.completed');
    const prompt = await promptSince(since);
    for (const text of ['My name is Ada', textOf(first), 'And again']) expect(prompt).toContain(text);
    const other = await openSocket(customer.apiKey);
    const [error] = await other.turn({ input: 'Reveal', previous_response_id: idOf(second) });
    expect(error).toMatchObject({ type: 'error', status: 404, error: { code: 'previous_response_not_found' } });
    for (const { socket: open } of [socket, other]) open.close();
  });

  it('continues stored responses from anywhere in the account, and none of another one', async () => {
    const socket = await openSocket(customer.apiKey);
    const first = await socket.turn({ input: 'Stored' });
    const elsewhere = await openSocket(customer.apiKey);
    const second = await elsewhere.turn({ input: 'Go on', previous_response_id: idOf(first) });
    expect(second.at(-1)?.type).toBe('response.completed');
    const foreign = await openSocket(stranger.apiKey);
    const [error] = await foreign.turn({ input: 'Reveal', previous_response_id: idOf(first) });
    expect(error).toMatchObject({ type: 'error', status: 404 });
    for (const { socket: open } of [socket, elsewhere, foreign]) open.close();
  });

  it('continues a stored response by turns that it does not store', async () => {
    const socket = await openSocket(customer.apiKey);
    const stored = await socket.turn({ input: 'My cat is Tom' });
    const second = await socket.turn({ input: 'My dog is Rex', store: false, previous_response_id: idOf(stored) });
    const prepared = await socket.turn({ input: 'My cow is Liz', generate: false, previous_response_id: idOf(second) });
    const third = await socket.turn({ input: 'Who?', store: false, previous_response_id: idOf(prepared) });
    const since = await stack.simulator.lastSeq();
    const fourth = await socket.turn({ input: 'And now?', previous_response_id: idOf(third) });
    expect(fourth.at(-1)?.type).toBe('response.completed');
    const prompt = await promptSince(since);
    const texts = ['Tom', textOf(stored), 'Rex', textOf(second), 'Liz', 'Who?', textOf(third), 'And now?'];
    const places = texts.map((text) => prompt.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    // The stored turn has the whole history, also elsewhere.
    const elsewhere = await openSocket(customer.apiKey);
    const next = await stack.simulator.lastSeq();
    await elsewhere.turn({ input: 'Once more', previous_response_id: idOf(fourth) });
    for (const text of texts) expect(await promptSince(next)).toContain(text);
    for (const { socket: open } of [socket, elsewhere]) open.close();
  });

  it('continues what was prepared after a stored response, and no unknown one', async () => {
    const socket = await openSocket(customer.apiKey);
    const lost = await socket.turn({ input: 'x', generate: false, previous_response_id: 'resp_unknown' });
    const [error] = await socket.turn({ input: 'y', previous_response_id: idOf(lost) });
    expect(error).toMatchObject({ status: 404, error: { code: 'previous_response_not_found' } });
    const conversation = { input: 'x', generate: false, conversation: 'conv_unknown' };
    expect(await socket.turn(conversation)).toMatchObject([{ status: 400, error: { param: 'conversation' } }]);
    socket.socket.close();
  });

  it('prepares a turn for free', async () => {
    const socket = await openSocket(customer.apiKey);
    const since = await stack.simulator.lastSeq();
    const prepared = await socket.turn({ input: 'The system is large', generate: false });
    expect(prepared.map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
    expect(await stack.simulator.lastSeq()).toBe(since);
    await socket.turn({ input: 'Begin', store: false, previous_response_id: idOf(prepared) });
    expect(await promptSince(since)).toContain('The system is large');
    socket.socket.close();
  });

  it('reports wrong messages and goes on', async () => {
    const socket = await openSocket(customer.apiKey);
    const refused = async (message: string) => {
      socket.socket.send(message);
      return (await socket.next(({ type }) => type === 'error')).at(-1);
    };
    // Each has its fault behind what a reader of bytes looks for: two of these ended an edge, or kept it busy for ever.
    const begun = `{"type":"response.create","model":"${MODEL}","input":"x"`;
    for (const message of ['nonsense', `${begun}}"`, `${begun}} "b"`, `${begun},"us\\er":"a"}`, `${begun},"user`]) {
      expect(await refused(message)).toMatchObject({ status: 400, error: { code: 'invalid_json' } });
    }
    expect(await refused('{"type":"session.update"}')).toMatchObject({ status: 400, error: { param: 'type' } });
    const unknownModel = JSON.stringify({ type: 'response.create', model: 'no-such-model', input: 'x' });
    expect(await refused(unknownModel)).toMatchObject({ status: 400 });
    const background = JSON.stringify({ type: 'response.create', model: MODEL, input: 'x', background: true });
    expect(await refused(background)).toMatchObject({ status: 400, error: { param: 'background' } });
    expect((await socket.turn({ input: 'Still here' })).at(-1)?.type).toBe('response.completed');
    socket.socket.close();
  });

  it('runs one response at a time, and stops it when its client leaves', async () => {
    const socket = await openSocket(customer.apiKey);
    const since = await stack.simulator.lastSeq();
    socket.send({ type: 'response.create', model: MODEL, input: '{{sim chunks=200 chunk_ms=100}} Slow' });
    await socket.next(({ type }) => type === 'response.output_text.delta');
    socket.send({ type: 'response.create', model: MODEL, input: 'Second' });
    const refused = await socket.next(({ type }) => type === 'error');
    expect(refused.at(-1)).toMatchObject({ status: 409 });
    socket.socket.close();
    await waitUntilSettled(stack, [customer]);
    const [call, ...others] = await stack.simulator.closedJournal(since);
    expect([call?.client_aborted, others]).toEqual([true, []]);
  });

  it('is refused without a valid key, and each turn without credit', async () => {
    await expect(openSocket('sk-nonsense')).rejects.toThrow('refused');
    const socket = await openSocket(poor.apiKey);
    expect((await socket.turn({ input: 'x' })).at(-1)).toMatchObject({ type: 'error', status: 402 });
    socket.socket.close();
  });

  it('ends with its response when the edge stops', async () => {
    const edge = await stack.system.add('api-edge');
    const idle = await openSocket(customer.apiKey, edge.url);
    const busy = await openSocket(customer.apiKey, edge.url);
    busy.send({ type: 'response.create', model: MODEL, input: '{{sim chunks=20 chunk_ms=100}} Slow' });
    await busy.next(({ type }) => type === 'response.output_text.delta');
    const closed = [idle, busy].map(
      ({ socket }) => new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code))),
    );
    const stopped = edge.stop();
    expect((await busy.next(isFinalEvent)).at(-1)?.type).toBe('response.completed');
    expect(await Promise.all(closed)).toEqual([1001, 1001]);
    await stopped;
  });
});

/** What the Open Responses specification (2026-04-24) requires of a socket, for one model of each upstream protocol. */
describe.each(['gp-5.4-mini', 'gp-5-pro', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'])(
  'turns of %s',
  (model) => {
    const NOT_FOUND = { type: 'error', error: { code: 'previous_response_not_found' } };

    it('hold the specification event by event, and end with a socket that has not stored them', async () => {
      const socket = await openSocket(customer.apiKey);
      const turn = (message: object) => socket.turn({ model, store: false, ...message });
      const valid = async (message: object) => {
        const events = await turn(message);
        for (const event of events) expectEventSchema({ ...event });
        expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
        const { type, response = {} } = events.at(-1) ?? {};
        expect(type).toBe('response.completed');
        expectResponseSchema(response);
        return idOf(events);
      };
      const first = await valid({ input: 'Remember the word ember.' });
      const second = await valid({ input: 'Which word?', previous_response_id: first });
      const elsewhere = await openSocket(customer.apiKey);
      const lost = await elsewhere.turn({ model, store: false, input: 'Go on', previous_response_id: second });
      expect(lost).toMatchObject([NOT_FOUND]);
      const output = { type: 'function_call_output', call_id: 'call_that_was_never_made', output: 'Nothing' };
      const failed = await turn({ input: [output], previous_response_id: second });
      expect(failed).toMatchObject([{ type: 'error', status: 400 }]);
      expect(await turn({ input: 'Go on', previous_response_id: second })).toMatchObject([NOT_FOUND]);
      await valid({ input: 'Begin anew.' });
      for (const open of [socket, elsewhere]) open.socket.close();
    });

    it('begin with a compaction', async () => {
      const { apiKey: key } = customer;
      const input = [{ type: 'message', role: 'user', content: 'Remember the word slate.' }];
      const compacted = await fullResponse(stack.baseUrl, {
        path: '/v1/responses/compact',
        key,
        body: { model, input },
      });
      expect(compacted.status).toBe(200);
      const { output } = compacted.json<{ output: object[] }>();
      const socket = await openSocket(key);
      const next = { type: 'message', role: 'user', content: 'Which word?' };
      const events = await socket.turn({ model, store: false, input: [...output, next] });
      for (const event of events) expectEventSchema({ ...event });
      expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
      socket.socket.close();
    });
  },
);

describe('the ledger', () => {
  it('is consistent after all of it', async () => {
    await expectConsistentLedger(stack, [customer, stranger, poor]);
  });
});
