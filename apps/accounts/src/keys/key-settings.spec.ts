import { describe, expect, it } from '@jest/globals';
import { newKey } from './key-settings.js';

describe('the endpoints of a key', () => {
  it.each([
    ['chat.completions', 'chat.completions'],
    ['/v1/embeddings', 'embeddings'],
    // The edge checks the right to the endpoint that these belong to.
    ['/v1beta/interactions', 'models.generate_content'],
    ['completions', 'chat.completions'],
    ['models.stream_generate_content', 'models.generate_content'],
    ['messages.count_tokens', 'messages'],
  ])('%s are stored as %s, whose right counts', (given, stored) => {
    expect(newKey.parse({ name: 'k', endpoints: [given] })).toMatchObject({ endpoints: [stored] });
  });
});
