import { DIALECTS } from '@gateway/dialects';
import { expect, it } from '@jest/globals';
import { adapterOf } from '../adapter-of.js';
import { smallCall, targetOf } from '../conformance/calls.js';

const SESSION = { device_id: 'a', account_uuid: '', session_id: '1b671a64-40d5-491e-99b0-da01ff1f3341' };

/** A request of the coding assistant, as the vendor gets it. */
function sent(protocol: 'openai-responses' | 'openai-chat' | 'gemini-generate' | 'dashscope-chat', model: string) {
  const { members: _, ...call } = smallCall(model);
  const request = {
    model,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    metadata: { user_id: JSON.stringify(SESSION) },
  };
  const adapter = adapterOf(DIALECTS['anthropic-messages'], { protocol });
  const { body, changes } = adapter.buildRequest({ ...call, request }, targetOf(model));
  return { body: JSON.parse(String(body)), dropped: changes?.dropped };
}

it.each([
  ['openai-responses', 'gp-5.4-pro'],
  ['openai-chat', 'gp-5.4-mini'],
] as const)('sends %s the session of a coding assistant as the key of its cache', (protocol, model) => {
  const { body, dropped } = sent(protocol, model);
  expect(body.prompt_cache_key).toMatch(/^[\da-f]{64}$/);
  expect(dropped).toEqual([]);
});

it('reports no loss of a key that the client has no field for', () => {
  expect(sent('dashscope-chat', 'qn3.8-omni-flash')).toMatchObject({ dropped: [] });
  expect(sent('gemini-generate', 'gm-3.8-flash')).toMatchObject({ dropped: ['metadata.user_id'] });
});
