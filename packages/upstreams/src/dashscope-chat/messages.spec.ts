import { describe, expect, it } from '@jest/globals';
import { dashScopeMessages } from './messages.js';

describe('dashScopeMessages', () => {
  it('converts refusal parts to text', () => {
    const messages = [
      { role: 'user' as const, content: 'Hello' },
      { role: 'assistant' as const, content: [{ type: 'refusal' as const, refusal: 'I will not.' }] },
      { role: 'assistant' as const, content: 'Or will I?' },
    ];
    expect(dashScopeMessages({ model: 'm', messages }, false)).toEqual([
      messages[0],
      { role: 'assistant', content: [{ type: 'text', text: 'I will not.' }] },
      messages[2],
    ]);
  });
});
