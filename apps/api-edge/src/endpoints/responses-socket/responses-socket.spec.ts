import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { ResponsesSocket } from './responses-socket.js';

const COMPLETED = 'data: {"type":"response.completed","response":{"id":"resp_a","output":[]}}\n\n';

/** Nothing for a message that is no JSON. */
function messageIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function openSocket(
  head: { readonly statusCode: number; readonly headers: object } = { statusCode: 200, headers: {} },
  mostFree = Number.POSITIVE_INFINITY,
) {
  const refusals: number[] = [];
  const counted: number[] = [];
  const sent: Record<string, unknown>[] = [];
  const passed: string[] = [];
  const turns: { readonly input: unknown; readonly response: PassThrough }[] = [];
  const socket = new ResponsesSocket(
    {
      send: (text: string | Buffer) => {
        passed.push(String(text));
        sent.push(messageIn(String(text)));
        return true;
      },
      onDrain: () => undefined,
      close: () => undefined,
      refuse: (code) => {
        refusals.push(code);
      },
    },
    {
      sendTurn: (body) => {
        const request = new EventEmitter() as ClientRequest;
        const response = Object.assign(new PassThrough(), { statusCode: head.statusCode, headers: head.headers });
        turns.push({ input: (JSON.parse(body.toString()) as { input: unknown }).input, response });
        setImmediate(() => request.emit('response', response));
        return request;
      },
      onClosed: () => undefined,
      takeMemory: () => true,
      free: {
        check: () => {
          if (counted.length >= mostFree) throw new GatewayError('rate_limit_exceeded', 'Too many.');
        },
        count: (bytes) => {
          counted.push(bytes);
        },
      },
    },
  );
  const create = (input: string) =>
    socket.onMessage(Buffer.from(JSON.stringify({ type: 'response.create', model: 'm', store: false, input })));
  const say = (text: string) => socket.onMessage(Buffer.from(text));
  return { sent, passed, turns, create, say, counted, refusals };
}

describe('a confirmation of a response', () => {
  const PROCESSED = '{"type":"response.processed"}';

  it('is free once for each response', async () => {
    const { turns, create, say, counted } = openSocket();
    for (let turn = 0; turn < 3; turn += 1) {
      create('hi');
      await turnOfLoop();
      turns[turn]?.response.end(COMPLETED);
      await turnOfLoop();
      await turnOfLoop();
      say(PROCESSED);
    }
    expect([turns.length, counted]).toEqual([3, []]);
  });

  it('counts as a free message beyond them, so that a flood is refused', () => {
    const { say, counted, refusals } = openSocket(undefined, 2);
    for (let sent = 0; sent < 3; sent += 1) say(PROCESSED);
    expect(counted).toEqual([PROCESSED.length, PROCESSED.length]);
    expect(refusals).toEqual([1013]);
  });
});

describe('the next turn of a socket', () => {
  it('is refused while the response runs', async () => {
    const { sent, turns, create } = openSocket();
    create('one');
    await turnOfLoop();
    create('two');
    expect(turns).toHaveLength(1);
    expect(sent).toMatchObject([{ type: 'error', status: 409 }]);
  });

  it('begins at the end of the response whose last event the client has', async () => {
    const { sent, turns, create } = openSocket();
    create('one');
    await turnOfLoop();
    turns[0]?.response.write(COMPLETED);
    await turnOfLoop();
    create('two');
    expect([turns.length, sent.map(({ type }) => type)]).toEqual([1, ['response.completed']]);
    // One turn may wait, and no other.
    create('three');
    expect(sent.at(-1)).toMatchObject({ type: 'error', status: 409 });
    turns[0]?.response.end();
    await turnOfLoop();
    await turnOfLoop();
    expect(turns.map(({ input }) => input)).toEqual(['one', 'two']);
  });
});

it.each([
  '{"type":"response.completed",}',
  '{"type":"response.completed"}',
  '{"type":"response.completed","response":{"id":1}}',
])('a last event that is not what it seems is passed on, and ends neither socket nor process: %s', async (event) => {
  const { passed, turns, create } = openSocket();
  create('one');
  await turnOfLoop();
  turns[0]?.response.end(`data: ${event}\n\n`);
  await turnOfLoop();
  await turnOfLoop();
  create('two');
  await turnOfLoop();
  expect([passed, turns.map(({ input }) => input)]).toEqual([[event], ['one', 'two']]);
});

describe('messages that cost nothing', () => {
  const PREPARED = '{"type":"response.create","model":"m","generate":false,"input":"x"}';

  it('are counted by their bytes: refused ones and prepared turns, and no turn that is sent', async () => {
    const { create, say, counted } = openSocket();
    say('nonsense');
    say('{"type":"session.update"}');
    expect(counted).toEqual([8, 25]);
    say(PREPARED);
    expect(counted).toHaveLength(3);
    create('one');
    expect(counted).toHaveLength(3);
  });

  it.each(['nonsense', PREPARED])('end the socket of who sends too many: %s', (text) => {
    const { sent, say, refusals } = openSocket(undefined, 2);
    for (let message = 0; message < 3; message += 1) say(text);
    expect(refusals).toEqual([1013]);
    expect(sent.at(-1)).toMatchObject({ type: 'error', status: 429 });
  });
});

describe('the headers of a turn', () => {
  const headers = { sunset: 'Fri, 11 Dec 2026 00:00:00 GMT', 'x-gateway-filled': 'max_output_tokens=4096' };
  const more = { 'content-type': 'text/event-stream', 'x-request-id': 'req_a' };

  it('are a member of the first event, and of no other', async () => {
    const { sent, turns, create } = openSocket({ statusCode: 200, headers: { ...more, ...headers } });
    create('one');
    await turnOfLoop();
    turns[0]?.response.write('data: {"type":"response.created","response":{"id":"a"}}\n\n');
    turns[0]?.response.end(COMPLETED);
    await turnOfLoop();
    await turnOfLoop();
    expect(sent[0]).toEqual({ type: 'response.created', response: { id: 'a' }, headers });
    expect(sent[1]).toMatchObject({ type: 'response.completed' });
    expect(sent[1]).not.toHaveProperty('headers');
  });

  it('come with an error', async () => {
    const { sent, turns, create } = openSocket({ statusCode: 400, headers });
    create('one');
    await turnOfLoop();
    turns[0]?.response.end('{"error":{"code":"invalid_request"}}');
    await turnOfLoop();
    await turnOfLoop();
    expect(sent).toEqual([{ type: 'error', status: 400, error: { code: 'invalid_request' }, headers }]);
  });

  it('are left out where there are none', async () => {
    const { sent, turns, create } = openSocket({ statusCode: 200, headers: more });
    create('one');
    await turnOfLoop();
    turns[0]?.response.end(COMPLETED);
    await turnOfLoop();
    await turnOfLoop();
    expect(sent.map(({ type }) => type)).toEqual(['response.completed']);
  });
});
