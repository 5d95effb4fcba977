import { type NativeResponsesRequest, packCompaction } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JsonMembers } from '../../json/json-members.js';
import type { CompactCall, Target } from '../../protocol.js';
import { compactPassThrough } from './index.js';

const target: Target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'gpt-5.4' };

function callOf(request: object): CompactCall {
  const body = Buffer.from(JSON.stringify(request));
  const members = JsonMembers.of<NativeResponsesRequest>(body);
  return { body, members, publicModel: 'gp-5.4', responseId: 'resp_ours' };
}

const usage = { input_tokens: 40, output_tokens: 8, total_tokens: 48 };
const reply = (fields: object) => Buffer.from(JSON.stringify({ id: 'resp_theirs', output: [], usage, ...fields }));

describe('a compaction at the vendor', () => {
  it('sends the conversation, without the gateway’s state and fields of an answer', () => {
    const input = [{ role: 'user', content: 'Hi' }];
    const call = callOf({
      model: 'gp-5.4',
      input,
      tools: [{ type: 'image_generation' }],
      previous_response_id: 'resp_1',
      store: true,
      stream: false,
    });
    const { url, body, changes } = compactPassThrough.buildRequest(call, target);
    expect(url).toBe('https://upstream.example/v1/responses/compact');
    expect(JSON.parse(String(body))).toEqual({ model: 'gpt-5.4', input, tools: [] });
    expect(changes).toEqual({ filled: {}, dropped: ['tools[0]'] });
  });

  it('gets the summary of another model as a message', () => {
    const input = [{ type: 'compaction', encrypted_content: packCompaction('They met.') }];
    const { body } = compactPassThrough.buildRequest(callOf({ model: 'gp-5.4', input }), target);
    expect(JSON.parse(String(body)).input).toMatchObject([
      { role: 'user', content: [{ text: expect.stringContaining('They met.') }] },
    ]);
  });

  it('returns its bytes with the gateway’s id, and its usage', () => {
    const call = callOf({ model: 'gp-5.4', input: 'Hi' });
    const read = compactPassThrough.readReply(reply({ output: [{ type: 'new_item', n: 1.0 }] }), call);
    expect(JSON.parse(Buffer.from(read.body).toString())).toEqual({
      id: 'resp_ours',
      output: [{ type: 'new_item', n: 1 }],
      usage,
    });
    expect(read).toMatchObject({
      usage: { units: { input_token: 40, output_token: 8 }, isEstimated: false },
      upstreamId: 'resp_theirs',
    });
  });

  it('is estimated without a usage, and refused without an output', () => {
    const call = callOf({ model: 'gp-5.4', input: 'Hi there' });
    expect(compactPassThrough.readReply(reply({ usage: null }), call).usage).toMatchObject({ isEstimated: true });
    expect(() => compactPassThrough.readReply(reply({ output: null }), call)).toThrow();
  });
});
