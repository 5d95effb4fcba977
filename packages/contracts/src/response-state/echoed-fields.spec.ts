import { expect, it } from '@jest/globals';
import type { ResponsesTool } from '../api/responses-request.js';
import { echoedResponseFields } from './echoed-fields.js';

const text = { type: 'text' };

it.each([
  [
    { type: 'function', name: 'f' },
    { description: null, parameters: null, strict: false },
  ],
  [
    { type: 'function', name: 'f', strict: true },
    { description: null, parameters: null },
  ],
  [{ type: 'custom', name: 'c' }, { format: text }],
  [{ type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'a' } }, {}],
  [{ type: 'web_search' }, {}],
])('repeats the tool %j with what the vendor adds: %j', (tool, added) => {
  expect(echoedResponseFields({ tools: [tool as ResponsesTool] }).tools).toEqual([{ ...added, ...tool }]);
});
