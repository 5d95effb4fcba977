import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

/** What Pi, LangChain and Vercel's provider send to change the tools of a conversation: beta `inline-tools`. */
const added = (definition: object) => ({
  role: 'system',
  content: [
    { type: 'tool_removal', tool: { type: 'tool_reference', name: 'get_weather' } },
    { type: 'tool_addition', tool: { type: 'tool_definition', definition } },
  ],
});

function validate(definition: object) {
  const model = findModel('cl-opus-5-5');
  if (model === undefined) throw new Error('no model');
  const messages = [{ role: 'user', content: 'Hi' }, added(definition)];
  return JSON_ENDPOINTS.messages.validate({ model: model.id, max_tokens: 50, messages }, model);
}

describe('a tool that a message adds', () => {
  it.each([
    { name: 'get_time', input_schema: { type: 'object' } },
    { type: 'custom', name: 'get_time', input_schema: { type: 'object' } },
    { type: 'bash_20250124', name: 'bash' },
  ])('may be one that the client runs: %j', (definition) => {
    expect(() => validate(definition)).not.toThrow();
  });

  it.each(['code_execution_20250825', 'advisor_20260301', 'mcp_toolset', 'web_search_20260209', 'web_fetch_20260209'])(
    'is refused if it costs what the hold does not cover: %s',
    (type) => {
      expect(() => validate({ type, name: 't' })).toThrow(
        expect.objectContaining({ details: { param: 'messages[1].content[1].tool.definition.type' } }),
      );
    },
  );
});
