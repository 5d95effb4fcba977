import type { JsonObject } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import { withLists } from './with-lists.js';

const parts = { text: 'Hi' };

it.each([
  [{ contents: { parts } }, { contents: [{ parts: [parts] }] }],
  [{ contents: [{ role: 'user', parts }] }, { contents: [{ role: 'user', parts: [parts] }] }],
  [{ system_instruction: { parts } }, { system_instruction: { parts: [parts] } }],
  [
    { tools: { function_declarations: { name: 'w' } }, safetySettings: { category: 'x' } },
    { tools: [{ function_declarations: [{ name: 'w' }] }], safetySettings: [{ category: 'x' }] },
  ],
  [{ generateContentRequest: { contents: { parts } } }, { generateContentRequest: { contents: [{ parts: [parts] }] } }],
  [{ content: { parts } }, { content: { parts: [parts] } }],
  [{ requests: [{ content: { parts } }] }, { requests: [{ content: { parts: [parts] } }] }],
])('makes lists of the only entries in %j', (body, expected) => {
  expect(withLists(body)).toEqual(expected);
});

it.each<JsonObject>([
  { contents: [{ parts: [parts] }], systemInstruction: { parts: [parts] }, tools: [{ functionDeclarations: [] }] },
  { contents: 'Hi', tools: null, constructor: { parts } },
])('returns %j itself', (body) => {
  expect(withLists(body)).toBe(body);
});
