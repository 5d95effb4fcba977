import { DIALECTS } from '@gateway/dialects';
import { expect, it } from '@jest/globals';
import { adapterOf } from '../adapter-of.js';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, smallCall, targetOf } from '../conformance/calls.js';

const model = 'gp-5.4-mini';
const ofGoogle = adapterOf(DIALECTS['gemini-generate'], { protocol: 'openai-chat' });

const translated = (text: string): object => {
  const { members: _, ...call } = smallCall(model);
  const request = {
    contents: [{ parts: [{ text }] }],
    generationConfig: { responseMimeType: 'application/json' },
  };
  return JSON.parse(String(ofGoogle.buildRequest({ ...call, request }, targetOf(model)).body));
};

const answerIn = (role: string, content: string) => ({ role, content });

it('asks for JSON in a message for a client whose format does not need the word', () => {
  expect(translated('A colour')).toMatchObject({
    response_format: { type: 'json_object' },
    messages: [answerIn('system', 'Answer with one JSON object.'), answerIn('user', 'A colour')],
  });
});

it('adds no message where one has the word', () => {
  expect(translated('A colour as json')).toMatchObject({ messages: [answerIn('user', 'A colour as json')] });
});

it('leaves the messages of a chat client as they are', () => {
  const messages = [answerIn('user', 'A colour')];
  const call = callOf({ model, messages, response_format: { type: 'json_object' } });
  expect(JSON.parse(String(CHAT_ADAPTERS['openai-chat'].buildRequest(call, targetOf(model)).body))).toMatchObject({
    messages,
  });
});
