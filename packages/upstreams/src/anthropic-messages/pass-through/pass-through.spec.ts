import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { damagedBytes } from '../../conformance/damaged-bytes.js';
import { brokenStreams, replyFixtures, streamFixtures } from '../../conformance/fixtures.js';
import { readCut } from '../../conformance/read-cut.js';
import { errorOf, gatewayErrorOf } from '../../conformance/thrown-error.js';
import type { PassThroughMessagesCall, Target } from '../../protocol.js';
import { messagesPassThrough } from './index.js';

const { create, countTokens } = messagesPassThrough;
const target: Target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'claude-opus-4-7' };

const callOf = (more: Partial<PassThroughMessagesCall> = {}): PassThroughMessagesCall => ({
  body: Buffer.from('{"model":"cl-opus-4-7","max_tokens":9,"messages":[{"role":"user","content":"abcdefgh"}]}'),
  streams: false,
  publicModel: 'cl-opus-4-7',
  forward: { headers: {}, query: '' },
  ...more,
});

const streamCall = callOf({ streams: true });
const renamed = (bytes: Buffer | string): string =>
  bytes.toString().replaceAll(/claude-(opus|sonnet)-4-\d/g, 'cl-opus-4-7');

const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const START = event('message_start', {
  message: { id: 'msg_1', model: 'claude-opus-4-7', usage: { input_tokens: 7 } },
});
const TEXT = event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'abcdefghi' } });

describe('a request that passes through', () => {
  it('gives each search and fetch the limit of its hold, and reports it', () => {
    const built = (tools: string) =>
      create.buildRequest(callOf({ body: Buffer.from(`{"model":"cl-opus-4-7","tools":${tools},"n":1}`) }), target);
    const search = '{"type":"web_search_20250305","name":"s"}';
    const capped = built(`[${search},{"name":"own"},{"type":"web_fetch_20250910","max_uses":2}]`);
    expect(JSON.parse(String(capped.body))).toEqual({
      model: 'claude-opus-4-7',
      tools: [
        { type: 'web_search_20250305', name: 's', max_uses: 10 },
        { name: 'own' },
        { type: 'web_fetch_20250910', max_uses: 2 },
      ],
      n: 1,
    });
    expect(capped.changes).toEqual({ filled: { 'tools[0].max_uses': '10' }, dropped: [] });
    const escaped = built('[{"type":"w\\u0065b_search_20250305"}]');
    expect(JSON.parse(String(escaped.body)).tools[0]).toMatchObject({ max_uses: 10 });
  });

  it.each(['[{"name" : "web_own", "input_schema":{}}]', '[ ]', '{"type":"web_search_1"}', '[null]'])(
    'sends other tools as the client wrote them: %s',
    (tools) => {
      const body = Buffer.from(`{"model":"cl-opus-4-7","tools":${tools}}`);
      const request = create.buildRequest(callOf({ body }), target);
      expect(String(request.body)).toBe(`{"model":"claude-opus-4-7","tools":${tools}}`);
      expect(request.changes?.filled ?? {}).toEqual({});
    },
  );

  it('sends the client’s bytes, headers and query with the upstream model and credential', () => {
    const body = Buffer.from('{ "model" : "cl-opus-4-7","max_tokens":1e1,"messages":[ ] }');
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a,b' };
    const request = create.buildRequest(callOf({ body, forward: { headers, query: '?beta=true' } }), target);
    expect(request.url).toBe('https://upstream.example/v1/messages?beta=true');
    expect(String(request.body)).toBe('{ "model" : "claude-opus-4-7","max_tokens":1e1,"messages":[ ] }');
    expect(request.headers).toMatchObject({ ...headers, 'x-api-key': 'secret', accept: 'application/json' });
    expect(create.buildRequest(streamCall, target).headers).toMatchObject({
      accept: 'text/event-stream',
      'anthropic-version': '2023-06-01',
    });
    expect(countTokens.buildRequest(callOf(), target).url).toBe('https://upstream.example/v1/messages/count_tokens');
  });
});

describe('a response that passes through', () => {
  it.each(replyFixtures('anthropic-messages'))('changes only the model: $name', ({ upstream, usage }) => {
    const bytes = Buffer.from(JSON.stringify(upstream, null, 2));
    const reply = create.readReply(bytes, callOf());
    expect(Buffer.from(reply.body).toString('utf8')).toBe(renamed(bytes));
    if (!usage.isEstimated) expect(reply.usage).toEqual(usage);
  });

  it('is estimated if the upstream sends no usage', () => {
    const content = [{ type: 'text', text: 'abcdefghi' }];
    const body = Buffer.from(JSON.stringify({ type: 'message', id: 'msg_1', model: 'x', content }));
    expect(create.readReply(body, callOf()).usage).toEqual({
      units: { input_token: 2, output_token: 3 },
      inputTokensTotal: 2,
      isEstimated: true,
    });
  });

  it('counts web searches', () => {
    const usage = { input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: 3 } };
    const body = Buffer.from(JSON.stringify({ type: 'message', id: 'msg_1', content: [], usage }));
    expect(create.readReply(body, callOf()).usage.units).toEqual({ input_token: 1, output_token: 2, web_search: 3 });
  });

  it('that counts tokens is free', () => {
    const body = Buffer.from('{ "input_tokens": 5 }');
    const reply = countTokens.readReply(body, callOf());
    expect(reply).toEqual({
      body,
      usage: { units: {}, inputTokensTotal: 0, isEstimated: false },
      upstreamId: undefined,
    });
    expect(errorOf(() => countTokens.readReply(Buffer.from('{}'), callOf())).code).toBe('upstream_error');
  });

  it.each([['<html>'], ['{}'], ['[]'], ['{"type":"message"}']])('is rejected if it is %s', (body) => {
    expect(errorOf(() => create.readReply(Buffer.from(body), callOf())).code).toBe('upstream_error');
  });
});

describe('a stream that passes through', () => {
  it.each(streamFixtures('anthropic-messages'))(
    'changes only the model, cut at every byte: $name',
    ({ upstream, usage }) => {
      for (let cut = 0; cut <= upstream.length; cut += 1) {
        const reader = create.openReader(streamCall);
        expect(readCut(reader, upstream, [cut])).toBe(renamed(upstream));
        expect(reader.usage()).toEqual(usage);
        expect(reader.isFinal).toBe(true);
      }
    },
  );

  it('forwards comments, unknown events and bytes after the end', () => {
    const sent = `: hello\n\n${START}${event('novelty', { x: 1 })}${TEXT}${event('message_stop')}: bye\n\n`;
    expect(readCut(create.openReader(streamCall), Buffer.from(sent), [9])).toBe(renamed(sent));
  });

  it('is estimated until its counts arrive, which replace earlier ones', () => {
    const reader = create.openReader(streamCall);
    reader.read(Buffer.from(START + TEXT));
    expect(reader.usage()).toEqual({
      units: { input_token: 7, output_token: 3 },
      inputTokensTotal: 7,
      isEstimated: true,
      isPromptCounted: true,
    });
    const usage = { input_tokens: 9, output_tokens: 4, cache_read_input_tokens: 5 };
    reader.read(Buffer.from(event('message_delta', { delta: { stop_reason: 'end_turn' }, usage })));
    expect(reader.usage().units).toEqual({ input_token: 9, cached_input_token: 5, output_token: 4 });
    expect(reader.isFinal).toBe(false);
  });

  it('counts searches as they pass, until the upstream reports their number', () => {
    const reader = create.openReader(streamCall);
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const start = event('content_block_start', { index: 0, content_block: search });
    const other = event('content_block_start', { index: 1, content_block: { ...search, name: 'web_fetch' } });
    reader.read(Buffer.from(START + start + other + start));
    expect(reader.usage()).toMatchObject({ units: { web_search: 2 }, isEstimated: true });
    const usage = { input_tokens: 9, output_tokens: 4, server_tool_use: { web_search_requests: 3 } };
    reader.read(Buffer.from(event('message_delta', { delta: { stop_reason: 'end_turn' }, usage })));
    expect(reader.usage()).toMatchObject({ units: { web_search: 3 }, isEstimated: false });
  });

  it('never ends cleanly if it was cut', () => {
    const reader = create.openReader(streamCall);
    reader.read(Buffer.from(START + TEXT));
    expect(errorOf(() => reader.end()).code).toBe('upstream_error');
    expect(errorOf(() => create.openReader(streamCall).end()).code).toBe('upstream_error');
  });

  it.each(brokenStreams('anthropic-messages'))('ends with the error event of its vendor: $name', ({ upstream }) => {
    const reader = create.openReader(streamCall);
    const before = Buffer.from(reader.read(upstream)).toString('utf8');
    const { passThrough } = errorOf(() => reader.end()).details;
    expect(passThrough?.contentType).toBe('text/event-stream');
    expect(before + passThrough?.body).toBe(renamed(upstream));
  });

  it('hides an error about the gateway’s account', () => {
    for (const type of ['rate_limit_error', 'billing_error', 'authentication_error', 'permission_error']) {
      const reader = create.openReader(streamCall);
      reader.read(Buffer.from(START + event('error', { error: { type, message: 'organization 7 is spent' } })));
      const error = errorOf(() => reader.end());
      expect(error.details.passThrough).toBeUndefined();
      expect(error.message).not.toContain('organization');
    }
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = streamFixtures('anthropic-messages').map(({ upstream }) => upstream);
    const damaged = damagedBytes(known);
    fc.assert(
      fc.property(damaged, fc.nat(), (bytes, cut) => {
        const reader = create.openReader(streamCall);
        gatewayErrorOf(() => readCut(reader, bytes, [cut % bytes.length]));
        for (const count of Object.values(reader.usage().units)) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('that starts with an error is rejected like a response', () => {
    const overloaded = event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    const error = errorOf(() => create.openReader(streamCall).read(Buffer.from(overloaded)));
    expect(error.code).toBe('upstream_unavailable');
    expect(error.details.passThrough).toBeUndefined();
  });

  it.each([['data: <html>\n\n'], ['data: 7\n\n'], [START + START], [event('message_stop')]])(
    'is rejected if it is %.30s',
    (sent) => {
      const reader = create.openReader(streamCall);
      expect(
        errorOf(() => {
          reader.read(Buffer.from(sent));
          reader.end();
        }).code,
      ).toBe('upstream_error');
    },
  );
});
