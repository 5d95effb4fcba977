import { CHAT_PROTOCOL_IDS, type MessagesRequest, messagesRequest } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AdapterCall } from '../adapter-of.js';
import { MESSAGES_ADAPTERS } from './adapters.js';
import { ANY_MODEL, smallCall, targetOf } from './calls.js';
import { damagedBytes } from './damaged-bytes.js';
import { brokenStreams, failureFixtures, replyFixtures, streamFixtures } from './fixtures.js';
import { readCut } from './read-cut.js';
import { gatewayErrorOf } from './thrown-error.js';

const requestOf = (more: object = {}): MessagesRequest =>
  messagesRequest.parse({
    model: 'gm-2.5-flash',
    max_tokens: 300,
    messages: [{ role: 'user', content: 'Hi' }],
    ...more,
  });

const callOf = (model: string, more: object = {}): AdapterCall => ({
  ...smallCall(model),
  request: requestOf({ model, ...more }),
});

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

describe('an effort that is a hint', () => {
  const sentTo = (model: string, more: object) =>
    JSON.parse(
      String(MESSAGES_ADAPTERS['gemini-generate'].buildRequest(callOf(model, more), targetOf(model)).body),
    ) as {
      readonly generationConfig: { readonly thinkingConfig?: { readonly thinkingBudget: number } };
    };

  it.each([
    [{}, undefined],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'disabled' } }, 0],
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, 1_024],
    [{ thinking: { type: 'enabled', budget_tokens: 5_000 } }, 8_192],
    [{ thinking: { type: 'enabled', budget_tokens: 50_000 } }, 24_576],
    [{ output_config: { effort: 'xhigh' } }, 24_576],
    [{ output_config: { effort: 'max' } }, 24_576],
    [{ output_config: { effort: 'low' } }, 1_024],
  ])('becomes the nearest one of the model: %j', (more, budget) => {
    expect(sentTo('gm-2.5-flash', more).generationConfig.thinkingConfig?.thinkingBudget).toBe(budget);
  });

  it('is the lowest one for `none` of a model that always thinks, and is reported', () => {
    const call = callOf('gm-3.8-flash', { thinking: { type: 'disabled' } });
    const { body, changes } = MESSAGES_ADAPTERS['gemini-generate'].buildRequest(call, targetOf('gm-3.8-flash'));
    // Google's name of its `minimal`: it has no lower level.
    expect(JSON.parse(String(body)).generationConfig.thinkingConfig).toMatchObject({ thinkingLevel: 'low' });
    expect(Object.values(changes?.filled ?? {})).toContain('minimal');
  });

  it('is left out where the model cannot switch thinking off', () => {
    expect(sentTo('gm-2.5-pro', { thinking: { type: 'disabled' } }).generationConfig.thinkingConfig).toBeUndefined();
  });
});

describe.each(CHAT_PROTOCOL_IDS)('messages over %s', (id) => {
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
      const whole = readCut(protocol.openReader(call), upstream, []);
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
        const text = readCut(reader, upstream, [cut]);
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
    const damaged = damagedBytes(known);
    fc.assert(
      fc.property(damaged, fc.nat(), (bytes, cut) => {
        gatewayErrorOf(() =>
          readCut(protocol.openReader(callOf(model, { stream: true })), bytes, [cut % bytes.length]),
        );
        gatewayErrorOf(() => readCut(protocol.openReader(callOf(model)), bytes, []));
        gatewayErrorOf(() => protocol.readReply(bytes, callOf(model)));
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
