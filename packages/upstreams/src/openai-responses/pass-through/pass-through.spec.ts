import { clientToolId, type NativeResponsesRequest, packed } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { damagedBytes } from '../../conformance/damaged-bytes.js';
import { brokenStreams, replyFixtures, streamFixtures } from '../../conformance/fixtures.js';
import { readCut } from '../../conformance/read-cut.js';
import { recordedAnswers, streamBytes } from '../../conformance/recorded-answers.js';
import { errorOf, gatewayErrorOf } from '../../conformance/thrown-error.js';
import { JsonMembers } from '../../json/json-members.js';
import type { PassThroughResponsesCall, Target } from '../../protocol.js';
import { responsesPassThrough } from './index.js';

const { buildRequest, openReader, readReply } = responsesPassThrough;
const target: Target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'gpt-5.4-pro' };
const MODEL = 'gp-5.4-pro';

const callOf = (
  body = '{"model":"gp-5.4-pro","input":"abcdefgh","stream":true}',
  outputCap?: number,
): PassThroughResponsesCall => ({
  body: Buffer.from(body),
  members: JsonMembers.of<NativeResponsesRequest>(Buffer.from(body)),
  streams: true,
  publicModel: MODEL,
  responseId: 'resp_ours',
  outputCap,
});

const renamed = (bytes: Buffer | string): string =>
  bytes
    .toString()
    .replaceAll(/("model": ?)"gpt-[^"]*"/g, `$1"${MODEL}"`)
    .replaceAll(/"resp_\w+"/g, '"resp_ours"')
    .replaceAll(/("store": ?)false/g, '$1true');

let sequence = 0;
const event = (type: string, fields: object = {}): string => {
  sequence += 1;
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`;
};
const response = (fields: object) => ({ response: { id: 'resp_1', model: 'gpt-5.4-pro', ...fields } });
const CREATED = event('response.created', response({ status: 'in_progress' }));
const TEXT = event('response.output_text.delta', { delta: 'abcdefghi' });
const SEARCH = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
const searched = event('response.output_item.done', { item: { ...SEARCH, action: { type: 'search' } } });
const opened = event('response.output_item.done', { item: { ...SEARCH, action: { type: 'open_page' } } });
const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
const failed = (code: string) =>
  event('response.failed', response({ status: 'failed', error: { code, message: `About ${code}` } }));

describe('a request that passes through', () => {
  const sent = (body: string, outputCap?: number) => {
    const { body: bytes, changes, url, headers } = buildRequest(callOf(body, outputCap), target);
    return { body: String(bytes), changes, url, headers };
  };

  it('sends the client’s bytes by member, with the upstream model and credential, and stores nothing', () => {
    const { url, headers, body, changes } = sent('{"model":"x","store":false,"input":[ {"role":"user"} ],"top_p":1e0}');
    expect(url).toBe('https://upstream.example/v1/responses');
    expect(headers).toMatchObject({ authorization: 'Bearer secret', accept: 'text/event-stream' });
    expect(body).toBe('{"model":"gpt-5.4-pro","store":false,"input":[ {"role":"user"} ],"top_p":1e0}');
    expect(changes).toEqual({ filled: {}, dropped: [] });
  });

  it('is never stored by the vendor, and its reasoning can be carried back', () => {
    for (const body of ['{"model":"x","input":"a"}', '{"model":"x","input":"a","store":true}']) {
      const include = ['reasoning.encrypted_content'];
      expect(sent(body).changes?.filled).toEqual({ include: JSON.stringify(include) });
      expect(JSON.parse(sent(body).body)).toMatchObject({ store: false, include });
    }
  });

  it('has no state of the client', () => {
    const body =
      '{"model":"x","input":"a","store":false,"previous_response_id":"resp_1","conversation":"c","background":false}';
    expect(sent(body).body).toBe('{"model":"gpt-5.4-pro","input":"a","store":false}');
  });

  it('leaves out the tool that assistants offer unasked, and says so', () => {
    const named = { type: 'function', name: 'image_generation' };
    const tools = [{ type: 'image_generation', output_format: 'png' }, named];
    const { body, changes } = sent(JSON.stringify({ model: 'x', store: false, input: 'a', tools }));
    expect(JSON.parse(body).tools).toEqual([named]);
    expect(changes).toEqual({ filled: {}, dropped: ['tools[0]'] });
    const other = JSON.stringify({ model: 'gpt-5.4-pro', store: false, input: 'a', tools: [named] });
    expect(sent(other)).toMatchObject({ body: other, changes: { dropped: [] } });
  });

  it('leaves it out however its name is escaped, as the vendor would run and bill it', () => {
    const escaped = '{"model":"x","store":false,"input":"a","tools":[{"type":"image\\u005fgeneration"}]}';
    const { body, changes } = sent(escaped);
    expect(JSON.parse(body).tools).toEqual([]);
    expect(changes?.dropped).toEqual(['tools[0]']);
    const harmless =
      '{"model":"gpt-5.4-pro","store":false,"input":"a","tools":[{"type":"function","name":"caf\\u00e9"}]}';
    expect(sent(harmless)).toMatchObject({ body: harmless, changes: { dropped: [] } });
  });

  it.each([{}, { environment: null }])('states that a shell without an environment is the client’s: %j', (given) => {
    const tools = [
      { type: 'function', name: 'shell' },
      { type: 'shell', ...given },
    ];
    const { body, changes } = sent(JSON.stringify({ model: 'x', store: false, input: 'a', tools }));
    expect(JSON.parse(body).tools).toEqual([tools[0], { type: 'shell', environment: { type: 'local' } }]);
    expect(changes).toEqual({ filled: { 'tools[1].environment.type': 'local' }, dropped: [] });
  });

  describe('with a choice of the tool that is left out', () => {
    const image = { type: 'image_generation' };
    const named = { type: 'function', name: 'look' };
    const choose = (tool_choice: unknown, tools: readonly object[] = [image, named]) =>
      sent(JSON.stringify({ model: 'x', store: false, input: 'a', tools, tool_choice }));
    const allowed = (mode: string, ...tools: readonly object[]) => ({ type: 'allowed_tools', mode, tools });

    it.each([
      ['it is forced', image, undefined],
      ['no other may be called', allowed('required', image), undefined],
      ['no other may be called, if any', allowed('auto', image), undefined],
      ['a call is required and it was the only tool', 'required', [image]],
    ])('is refused before any call if %s', (_why, choice, tools) => {
      expect(() => choose(choice, tools)).toThrow(
        expect.objectContaining({ code: 'invalid_request', details: { param: 'tool_choice' } }),
      );
    });

    it('keeps the other tools of a choice, and says so', () => {
      const { body, changes } = choose(allowed('required', image, named));
      expect(JSON.parse(body).tool_choice).toEqual(allowed('required', named));
      expect(changes).toEqual({ filled: {}, dropped: ['tools[0]', 'tool_choice.tools[0]'] });
    });

    it.each(['auto', 'none', 'required', named, allowed('auto', named)])('stays as it is otherwise: %j', (choice) => {
      const { body, changes } = choose(choice);
      expect(JSON.parse(body).tool_choice).toEqual(choice);
      expect(changes).toEqual({ filled: {}, dropped: ['tools[0]'] });
    });
  });

  describe('with items of another model', () => {
    const vendor = { protocol: 'gemini-generate', data: { thoughtSignature: 'YQ' } } as const;
    const own = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABm' };
    const send = (input: readonly object[], more: object = {}) =>
      sent(JSON.stringify({ model: 'x', store: false, ...more, input }));

    it('leaves out reasoning that the vendor cannot read, and says so', () => {
      const foreign = { ...own, encrypted_content: packed(vendor) };
      const bare = { type: 'reasoning', id: 'rs_2', summary: [] };
      const { body, changes } = send([{ role: 'user', content: 'a' }, foreign, own, bare]);
      expect(JSON.parse(body).input).toEqual([{ role: 'user', content: 'a' }, own]);
      expect(changes).toEqual({ filled: {}, dropped: ['input[1]', 'input[3]'] });
    });

    it('restores the ids of calls', () => {
      const call = { type: 'function_call', call_id: clientToolId('call_1', vendor), name: 'f', arguments: '{}' };
      const output = { type: 'function_call_output', call_id: call.call_id, output: 'x' };
      const { body, changes } = send([call, output]);
      expect(JSON.parse(body).input).toEqual([
        { ...call, call_id: 'call_1' },
        { ...output, call_id: 'call_1' },
      ]);
      expect(changes?.dropped).toEqual([]);
    });

    it('sends the vendor’s own bytes otherwise', () => {
      const input = `[ ${JSON.stringify(own)},{"role":"user","content":"1e0"} ]`;
      const { body } = sent(`{"model":"x","store":false,"reasoning" :{"effort":"low"},"input":${input}}`);
      expect(body).toContain(`"input":${input}`);
    });
  });

  it('says nothing about the client program', () => {
    const body = '{"model":"x","input":"a","store":false,"client_metadata":{"session_id":"s"}}';
    expect(sent(body).body).toBe('{"model":"gpt-5.4-pro","input":"a","store":false}');
  });

  it('says nothing about a background that the gateway runs', () => {
    const body = '{"model":"x","input":"a","store":false,"background_options":{"continuation_id":"c"}}';
    expect(sent(body).body).toBe('{"model":"gpt-5.4-pro","input":"a","store":false}');
  });

  it('has the cap that the hold pays for', () => {
    expect(JSON.parse(sent('{"model":"x","input":"a"}', 500).body)).toMatchObject({ max_output_tokens: 500 });
  });

  it('has a number of tool calls if it may search the web', () => {
    const tools = '"tools":[{"type":"function","name":"f"},{"type":"web_search"}]';
    const { body, changes } = sent(`{"model":"x","input":"a","store":false,${tools}}`);
    expect([JSON.parse(body).max_tool_calls, changes?.filled]).toEqual([10, { max_tool_calls: '10' }]);
    expect(JSON.parse(sent(`{"model":"x","input":"a","max_tool_calls":3,${tools}}`).body).max_tool_calls).toBe(3);
    expect(sent('{"model":"x","input":"a","tools":[{"type":"custom","name":"c"}]}').body).not.toContain('max_tool');
  });
});

describe('a response that passes through', () => {
  it.each(replyFixtures('openai-responses').filter(({ upstream }) => !('error' in upstream && upstream.error)))(
    'changes only the model: $name',
    ({ upstream, usage: expected }) => {
      const bytes = Buffer.from(JSON.stringify(upstream, null, 2));
      const reply = readReply(bytes, callOf());
      expect(Buffer.from(reply.body).toString('utf8')).toBe(renamed(bytes));
      if (!expected.isEstimated) expect(reply.usage).toEqual(expected);
    },
  );

  it('is estimated if the upstream sends no usage', () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'abcdefghi' }] }];
    const body = Buffer.from(JSON.stringify({ id: 'resp_1', status: 'completed', output }));
    expect(readReply(body, callOf()).usage).toEqual({
      units: { input_token: 2, output_token: 3 },
      inputTokensTotal: 2,
      isEstimated: true,
    });
  });

  it('names what it continues', () => {
    const call = callOf('{"model":"x","input":"a","previous_response_id":"resp_0","conversation":"conv_1"}');
    const body = Buffer.from('{"id":"resp_1","status":"completed","previous_response_id":null,"usage":null}');
    expect(JSON.parse(Buffer.from(readReply(body, call).body).toString())).toMatchObject({
      id: 'resp_ours',
      previous_response_id: 'resp_0',
      conversation: { id: 'conv_1' },
    });
  });

  it('counts searches, by the vendor’s number where it sends one, and never pages that it opens', () => {
    const output = [
      { ...SEARCH, action: { type: 'search' } },
      { ...SEARCH, action: { type: 'open_page' } },
    ];
    const read = (more: object) =>
      readReply(Buffer.from(JSON.stringify({ id: 'resp_1', status: 'completed', output, usage, ...more })), callOf())
        .usage;
    expect(read({}).units).toEqual({ input_token: 7, output_token: 3, web_search: 1 });
    expect(read({ tool_usage: { web_search: { num_requests: 4 } } }).units.web_search).toBe(4);
    expect(read({ tool_usage: { image_gen: { output_tokens: 5 } } }).unpriced).toEqual(['image_gen.output_tokens']);
  });

  it.each([['<html>'], ['{}'], ['[]'], ['{"id":"resp_1","status":"queued"}'], ['{"id":"r","status":"failed"}']])(
    'is rejected if it is %s',
    (body) => expect(errorOf(() => readReply(Buffer.from(body), callOf())).code).toBe('upstream_error'),
  );

  it('throws the error of a failed response', () => {
    const body = Buffer.from(
      '{"id":"resp_1","status":"failed","error":{"code":"rate_limit_exceeded","message":"org-7"}}',
    );
    const error = errorOf(() => readReply(body, callOf()));
    expect([error.code, error.message.includes('org-7')]).toEqual(['rate_limit_exceeded', false]);
  });
});

describe('a stream that passes through', () => {
  it.each(streamFixtures('openai-responses'))('changes only the model, cut at every byte: $name', (fixture) => {
    for (let cut = 0; cut <= fixture.upstream.length; cut += 1) {
      const reader = openReader(callOf());
      expect(readCut(reader, fixture.upstream, [cut])).toBe(renamed(fixture.upstream));
      expect(reader.usage()).toEqual(fixture.usage);
      expect(reader.isFinal).toBe(true);
    }
  });

  it.each(recordedAnswers('openai-responses').filter(([, { events }]) => events !== undefined))(
    'passes a recorded one: %s',
    (_name, answer) => {
      const bytes = streamBytes('openai-responses', answer);
      const reader = openReader(callOf());
      expect(readCut(reader, bytes, [700])).toBe(renamed(bytes));
      expect(reader.usage()).toMatchObject({ units: answer.expected.units, isEstimated: false });
    },
  );

  it('forwards comments, unknown events and bytes after the end', () => {
    const end = event('response.completed', response({ status: 'completed', usage }));
    const sent = `: hello\n\n${CREATED}${event('novelty', { x: 1 })}${TEXT}${end}: bye\n\n`;
    expect(readCut(openReader(callOf()), Buffer.from(sent), [9])).toBe(renamed(sent));
  });

  it('begins with its first work, so that an earlier failure keeps its status', () => {
    const reader = openReader(callOf());
    expect(reader.read(Buffer.from(CREATED))).toHaveLength(0);
    expect(Buffer.from(reader.read(Buffer.from(TEXT))).toString()).toBe(renamed(CREATED + TEXT));
  });

  it('is estimated until its counts arrive, searches included', () => {
    const reader = openReader(callOf());
    reader.read(Buffer.from(CREATED + TEXT + searched + opened));
    expect(reader.usage()).toEqual({
      units: { input_token: 2, output_token: 3, web_search: 1 },
      inputTokensTotal: 2,
      isEstimated: true,
    });
    const output = [{ ...SEARCH, action: { type: 'search' } }];
    reader.read(Buffer.from(event('response.incomplete', response({ status: 'incomplete', usage, output }))));
    expect(reader.usage()).toMatchObject({ units: { input_token: 7, web_search: 1 }, isEstimated: false });
  });

  it('never ends cleanly if it was cut', () => {
    for (const sent of ['', CREATED, CREATED + TEXT]) {
      const reader = openReader(callOf());
      reader.read(Buffer.from(sent));
      expect(errorOf(() => reader.end()).code).toBe('upstream_error');
    }
  });

  it.each(brokenStreams('openai-responses'))('hides an error about the gateway’s account: $name', ({ upstream }) => {
    const reader = openReader(callOf());
    const error = errorOf(() => {
      reader.read(upstream);
      reader.end();
    });
    expect([error.code, error.details.passThrough]).toEqual(['upstream_unavailable', undefined]);
    expect(error.message).not.toContain('quota');
  });

  it('ends with the events of its vendor if the client caused the failure', () => {
    const end = event('error', { error: { code: 'invalid_image', message: 'Bad' } }) + failed('invalid_image');
    const reader = openReader(callOf());
    const before = Buffer.from(reader.read(Buffer.from(CREATED + TEXT + end))).toString('utf8');
    const { passThrough } = errorOf(() => reader.end()).details;
    expect(passThrough?.contentType).toBe('text/event-stream');
    expect(before + passThrough?.body).toBe(renamed(CREATED + TEXT + end));
  });

  it('throws an error that no failed response follows', () => {
    for (const after of ['', TEXT]) {
      const reader = openReader(callOf());
      reader.read(Buffer.from(CREATED + TEXT + event('error', { code: 'server_error', message: 'Oops' }) + after));
      expect(errorOf(() => reader.end()).code).toBe('upstream_error');
    }
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = streamFixtures('openai-responses').map(({ upstream }) => upstream);
    const damaged = damagedBytes(known);
    fc.assert(
      fc.property(damaged, fc.nat(), (bytes, cut) => {
        const reader = openReader(callOf());
        gatewayErrorOf(() => readCut(reader, bytes, [cut % bytes.length]));
        for (const count of Object.values(reader.usage().units)) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([['data: <html>\n\n'], ['data: 7\n\n'], [CREATED + CREATED.replace('resp_1', 'resp_2')]])(
    'is rejected if it is %.30s',
    (sent) => {
      const reader = openReader(callOf());
      const read = () => {
        reader.read(Buffer.from(sent));
        reader.end();
      };
      expect(errorOf(read).code).toBe('upstream_error');
    },
  );
});
