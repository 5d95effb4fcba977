import {
  CHAT_PROTOCOL_IDS,
  type ChatModelTraits,
  isGatewayError,
  type MessagesRequest,
  messagesRequest,
} from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MESSAGES_ADAPTERS } from '../conformance/adapters.js';
import { ANY_MODEL, smallCall, targetOf } from '../conformance/calls.js';
import { brokenStreams, failureFixtures, replyFixtures, streamFixtures } from '../conformance/fixtures.js';
import type { StreamReader, TranslatedMessagesCall } from '../protocol.js';
import { effortOf } from './effort.js';
import { estimateTokenCount } from './index.js';
import { messageOf } from './reply.js';
import { chatRequestOf } from './request.js';
import { clientToolId, upstreamToolId } from './tool-call-id.js';

const traitsOf = (model: string): ChatModelTraits => smallCall(model).traits;

const requestOf = (more: object = {}): MessagesRequest =>
  messagesRequest.parse({
    model: 'gm-2.5-flash',
    max_tokens: 300,
    messages: [{ role: 'user', content: 'Hi' }],
    ...more,
  });

const callOf = (model: string, more: object = {}): TranslatedMessagesCall => ({
  ...smallCall(model),
  request: requestOf({ model, ...more }),
});

const chatOf = (more: object, model = 'gm-2.5-flash') => chatRequestOf(requestOf(more), traitsOf(model));

function readCut(reader: StreamReader, bytes: Buffer, cut: number): string {
  const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)].map((chunk) =>
    Buffer.from(reader.read(Buffer.from(chunk))),
  );
  return Buffer.concat([...chunks, Buffer.from(reader.end())]).toString('utf8');
}

interface Event {
  readonly type: string;
  readonly index?: number;
  readonly message?: { readonly id: string; readonly model: string };
  readonly content_block?: { readonly type: string; readonly id?: string; readonly name?: string };
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly usage?: object;
}

const eventsOf = (sse: string): Event[] =>
  sse
    .split('\n\n')
    .filter((text) => text !== '')
    .map((text) => {
      const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? [];
      const event = JSON.parse(data) as Event;
      expect(event.type).toBe(name);
      return event;
    });

/** Assembles the blocks of a stream as a client does. Fails for an event out of order. */
function assembled(events: readonly Event[]) {
  const blocks: Record<string, unknown>[] = [];
  let open: number | undefined;
  for (const { type, index, content_block: block, delta = {} } of events.slice(2, -2)) {
    if (type === 'content_block_start') {
      expect(open).toBeUndefined();
      expect(index).toBe(blocks.length);
      open = index;
      blocks.push({ ...block, json: '' });
      continue;
    }
    expect(index).toBe(open);
    const last = blocks.at(-1) ?? {};
    if (type === 'content_block_stop') open = undefined;
    else if (delta.type === 'text_delta') last.text = `${last.text}${delta.text}`;
    else if (delta.type === 'thinking_delta') last.thinking = `${last.thinking}${delta.thinking}`;
    else if (delta.type === 'input_json_delta') last.json = `${last.json}${delta.partial_json}`;
    else expect(delta).toEqual({ type: 'signature_delta', signature: expect.any(String) });
  }
  expect(open).toBeUndefined();
  return blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(String(json || '{}')) } : block,
  );
}

describe('chatRequestOf', () => {
  it('converts messages, tools, tool choice, stop sequences and the token limit', () => {
    const request = chatOf({
      system: 'S',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and now?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '12C' }] },
          ],
        },
      ],
      tools: [
        { name: 'w', input_schema: { type: 'object', properties: {} } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      stream: true,
    });
    expect(request).toEqual({
      model: 'gm-2.5-flash',
      max_completion_tokens: 300,
      messages: [
        { role: 'system', content: 'S' },
        { role: 'tool', tool_call_id: 'call_1', content: '12C' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and now?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'w', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      stop: ['END'],
      stream: true,
    });
  });

  it('converts tool uses of an assistant, and drops thinking', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'One moment.' },
      { type: 'tool_use', id: 'c1', name: 'w', input: { c: 'Paris' } },
    ];
    const thoughtOnly = [{ type: 'thinking', thinking: 'hm', signature: 's' }];
    const { messages } = chatOf({
      messages: [
        { role: 'assistant', content },
        { role: 'assistant', content: thoughtOnly },
        { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      ],
    });
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: 'One moment.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{"c":"Paris"}' } }],
      },
      { role: 'system', content: 'Be kind.' },
    ]);
  });

  it('moves images of a tool result to the user message, and converts documents', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } };
    const { messages } = chatOf({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'a' }, image] },
            { type: 'tool_result', tool_use_id: 'c2' },
            { ...pdf, title: 'b.pdf' },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'more' }] } },
          ],
        },
      ],
    });
    expect(messages).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'a' },
      { role: 'tool', tool_call_id: 'c2', content: '' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'b.pdf' } },
          { type: 'text', text: 'words' },
          { type: 'text', text: 'more' },
        ],
      },
    ]);
  });

  it('encodes unknown blocks of a result as JSON, and drops those of an assistant', () => {
    const reference = { type: 'tool_reference', tool_name: 'w' };
    const { messages } = chatOf({
      messages: [
        { role: 'assistant', content: [{ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Found.' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [reference] }] },
      ],
    });
    expect(messages).toEqual([
      { role: 'assistant', content: 'Found.' },
      { role: 'tool', tool_call_id: 'c1', content: JSON.stringify(reference) },
    ]);
    for (const block of [{ type: 'text' }, { type: 'tool_use', id: 'c1' }, {}]) {
      expect(() => requestOf({ messages: [{ role: 'assistant', content: [block] }] })).toThrow();
    }
  });

  it('hashes the user id, and drops vendor features', () => {
    const request = chatOf({
      metadata: { user_id: 'ada@example.com' },
      cache_control: { type: 'ephemeral' },
      context_management: { edits: [] },
      tools: [{ type: 'bash_20250124', name: 'bash' }],
      tool_choice: { type: 'any' },
    });
    expect(request.user).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(request).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'user']);
  });

  it.each([
    [{}, undefined],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'disabled' } }, 'none'],
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 5_000 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 50_000 } }, 'high'],
    [{ output_config: { effort: 'xhigh' } }, 'high'],
    [{ output_config: { effort: 'max' } }, 'high'],
    [{ output_config: { effort: 'low' } }, 'low'],
  ])('maps %j to the effort %s', (more, effort) => {
    expect(chatOf(more).reasoning_effort).toBe(effort);
  });

  it('requests only efforts that the model has', () => {
    const low = requestOf({ output_config: { effort: 'low' } });
    expect(effortOf(low, { ...traitsOf('gm-2.5-pro'), efforts: { high: 'high' } })).toBe('high');
    expect(effortOf(low, { ...traitsOf('gm-2.5-pro'), efforts: null })).toBeUndefined();
    const disabled = requestOf({ thinking: { type: 'disabled' } });
    expect(effortOf(disabled, { ...traitsOf('gm-2.5-pro'), efforts: { low: 'low' } })).toBeUndefined();
  });

  it('estimates tokens like its chat request', () => {
    const reply = estimateTokenCount(requestOf({ system: '1234', messages: [{ role: 'user', content: '12345' }] }));
    expect(JSON.parse(Buffer.from(reply.body).toString('utf8'))).toEqual({ input_tokens: 3 });
    expect(reply.usage.units).toEqual({});
  });
});

describe('clientToolId and upstreamToolId', () => {
  it('carry the extra fields of a vendor', () => {
    const extra = { extra_content: { google: { thought_signature: 'a+/=' } } };
    const id = clientToolId('call_1', extra);
    expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(upstreamToolId(id)).toEqual({ id: 'call_1', extra });
  });

  it.each(['call_1', 'x__extra__not-json', '__extra__', 'toolu_1__extra__NQ'])(
    'leave an id of the client unchanged: %s',
    (id) => {
      expect(upstreamToolId(id)).toEqual({ id, extra: {} });
    },
  );
});

describe('messageOf', () => {
  const usage = {
    units: { input_token: 3, cached_input_token: 2, cache_write_token: 1, output_token: 4 },
    inputTokensTotal: 6,
    isEstimated: false,
  };
  const messageFrom = (message: object, finish = 'stop', showsThinking = true) => {
    const completion = { id: 'chatcmpl-1', model: 'gm-2.5-pro', choices: [{ message, finish_reason: finish }] };
    return JSON.parse(
      Buffer.from(
        messageOf(Buffer.from(JSON.stringify(completion)), usage, {
          model: 'gm-2.5-pro',
          requestId: 'req_1',
          showsThinking,
        }),
      ).toString(),
    );
  };

  it('orders thinking, text and tool uses, and converts the counts', () => {
    const message = {
      content: 'One moment.',
      reasoning_content: 'hm',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'w', arguments: '{"c":1}' } },
        { id: 'c2', type: 'function', function: { name: 'w', arguments: '{"c":' } },
      ],
    };
    expect(messageFrom(message, 'tool_calls')).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'gm-2.5-pro',
      content: [
        { type: 'thinking', thinking: 'hm', signature: '' },
        { type: 'text', text: 'One moment.' },
        { type: 'tool_use', id: 'c1', name: 'w', input: { c: 1 } },
        { type: 'tool_use', id: 'c2', name: 'w', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      usage: { input_tokens: 3, cache_creation_input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 4 },
    });
    expect(messageFrom(message, 'tool_calls', false).content).toHaveLength(3);
  });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])('converts the finish reason %s to %s', (finish, reason) => {
    expect(messageFrom({ content: 'x' }, finish).stop_reason).toBe(reason);
  });

  it('converts a refusal', () => {
    expect(messageFrom({ content: null, refusal: 'No.' })).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', explanation: 'No.' },
    });
  });
});

describe.each(CHAT_PROTOCOL_IDS)('over %s', (id) => {
  const protocol = MESSAGES_ADAPTERS[id];
  const model = ANY_MODEL[id];
  const streams = streamFixtures(id).filter(({ client }) => (client as { stream?: boolean }).stream === true);

  it('sends the messages to the upstream', () => {
    const request = protocol.buildRequest(callOf(model), targetOf(model));
    expect(String(request.body)).toContain('Hi');
  });

  it.each(replyFixtures(id))('reads the reply: $name', ({ client, upstream, usage }) => {
    const reply = protocol.readReply(Buffer.from(JSON.stringify(upstream)), callOf(client.model));
    const message = JSON.parse(Buffer.from(reply.body).toString('utf8'));
    expect(message).toMatchObject({
      type: 'message',
      model: client.model,
      usage: { input_tokens: expect.any(Number) },
    });
    if (!usage.isEstimated) expect(reply.usage).toEqual(usage);
  });

  it.each(streams)(
    'reads the stream, cut at every byte, into well-formed events: $name',
    ({ client, upstream, usage }) => {
      const call = callOf(client.model, { stream: true });
      const whole = readCut(protocol.openReader(call), upstream, 0);
      const events = eventsOf(whole);
      expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['message_start', 'ping']);
      expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
      expect(events[0]?.message).toMatchObject({ model: client.model, id: expect.stringMatching(/^msg_/) });
      expect(events.at(-2)?.delta?.stop_reason).toMatch(/^(end_turn|max_tokens|tool_use|refusal)$/);
      const message = assembled(events);
      // Most cuts do not change the output: check each distinct output once.
      const distinct = new Set([whole]);
      for (let cut = 1; cut <= upstream.length; cut += 1) {
        const reader = protocol.openReader(call);
        const text = readCut(reader, upstream, cut);
        if (!distinct.has(text)) expect(assembled(eventsOf(text))).toEqual(message);
        distinct.add(text);
        if (!usage.isEstimated) expect(reader.usage()).toEqual(usage);
        expect(reader.isFinal).toBe(true);
      }
    },
  );

  it.each(brokenStreams(id))('throws the upstream’s error without its envelope: $name', ({ upstream }) => {
    const reader = protocol.openReader(callOf(model, { stream: true }));
    expect(Buffer.from(reader.read(upstream)).toString('utf8')).not.toContain('message_stop');
    expect(() => reader.end()).toThrow(
      expect.objectContaining({ details: expect.not.objectContaining({ passThrough: expect.anything() }) }),
    );
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = [
      ...streamFixtures(id).map(({ upstream }) => upstream),
      ...replyFixtures(id).map(({ upstream }) => Buffer.from(JSON.stringify(upstream))),
    ];
    const damaged = fc
      .tuple(fc.constantFrom(...known), fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 12 }))
      .map(([bytes, at, removed, put]) => {
        const start = at % bytes.length;
        return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + removed)]);
      });
    const run = (act: () => unknown): void => {
      try {
        act();
      } catch (error) {
        if (!isGatewayError(error)) throw error;
      }
    };
    fc.assert(
      fc.property(damaged, fc.nat(), (bytes, cut) => {
        run(() => readCut(protocol.openReader(callOf(model, { stream: true })), bytes, cut % bytes.length));
        run(() => readCut(protocol.openReader(callOf(model)), bytes, 0));
        run(() => protocol.readReply(bytes, callOf(model)));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(failureFixtures(id))(
    'classifies the failure as chat does, without its envelope: $name',
    ({ status, headers, body, kind, code }) => {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const failure = protocol.readFailure({ status, headers, body: bytes });
      expect(failure).toMatchObject({ kind, error: { code } });
      expect(failure.error.details.passThrough).toBeUndefined();
    },
  );
});
