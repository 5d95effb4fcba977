import { describe, expect, it } from '@jest/globals';
import { firstModel } from './first-model.js';
import { SNIPPETS } from './snippets.js';

const MODELS = [
  { id: 'wn2.7-t2v', endpoints: ['/v1/videos/generations'] },
  { id: 'one-for-chat', endpoints: ['/v1/chat/completions'] },
  { id: 'one-for-responses', endpoints: ['/v1/chat/completions', '/v1/responses'] },
];

describe('the first call', () => {
  it('names a model that its endpoint serves', () => {
    expect(firstModel(MODELS, '/v1/chat/completions')).toBe('one-for-chat');
    expect(firstModel(MODELS, '/v1/responses')).toBe('one-for-responses');
  });

  it('names the usual model where it is served', () => {
    const usual = { id: 'gm-3.5-flash-lite', endpoints: ['/v1/chat/completions'] };
    expect(firstModel([...MODELS, usual], '/v1/chat/completions')).toBe('gm-3.5-flash-lite');
    expect(firstModel([...MODELS, usual], '/v1/responses')).toBe('one-for-responses');
  });

  it('gives Codex the model of responses, and the others the model of chat', () => {
    const place = {
      gatewayUrl: 'https://gateway.test',
      key: 'sk-a',
      chatModel: 'chat-1',
      responsesModel: 'responses-1',
    };
    expect(SNIPPETS.codex.code(place)).toContain('-m responses-1');
    expect(SNIPPETS.curl.code(place)).toContain('"model": "chat-1"');
  });
});
