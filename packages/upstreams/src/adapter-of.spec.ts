import { DIALECTS } from '@gateway/dialects';
import { describe, expect, it, jest } from '@jest/globals';
import { adapterOf } from './adapter-of.js';
import { parseChatCall } from './openai-compatible-chat/chat-call.js';

const traits = {
  maxOutputTokens: 1_000,
  temperature: 'fixed',
  efforts: { none: 'none', low: 'low' },
  thinking: 'none',
} as never;
const chat = { protocol: 'openai-chat', toolReasoningProtocol: 'openai-responses' } as const;
const tool = { type: 'function', function: { name: 'look' } };

const callOf = (more: object) =>
  parseChatCall(Buffer.from(JSON.stringify({ model: 'a', messages: [{ role: 'user', content: 'Hi' }], ...more })), {
    publicModel: 'a',
    traits,
    requestId: 'req_a',
    createdSeconds: 1,
  });

const target = { baseUrl: 'http://vendor', credential: 'secret', upstreamModel: 'b' } as never;

describe('adapterOf', () => {
  it('never parses the whole request of a client whose bytes pass', () => {
    const call = callOf({});
    const request = jest.spyOn(call, 'request', 'get');
    const adapter = adapterOf(DIALECTS['openai-chat'], chat);
    expect(adapter.streamsUpstream(call)).toBe(false);
    expect(adapter.buildRequest(call, target).url).toContain('/chat/completions');
    expect(request).not.toHaveBeenCalled();
  });

  it.each([
    [{ tools: [tool], reasoning_effort: 'low' }, '/responses'],
    [{ tools: [tool], reasoning_effort: 'none' }, '/chat/completions'],
    [{ reasoning_effort: 'low' }, '/chat/completions'],
  ])('serves %j by %s', (more, path) => {
    expect(adapterOf(DIALECTS['openai-chat'], chat).buildRequest(callOf(more), target).url).toContain(path);
  });
});
