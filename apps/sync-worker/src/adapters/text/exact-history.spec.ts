import { describe, expect, it } from '@jest/globals';
import { withExactHistory } from './exact-history.js';

const ID = '12345678901234567891';

describe('a request that is translated', () => {
  it('keeps all digits in calls of messages, and has numbers in schemas', () => {
    const call = `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{"id":${ID}}}]}`;
    const addition = `{"role":"system","content":[{"type":"tool_addition","tool":{"input_schema":{"maximum":${ID}}}}]}`;
    const tools = `[{"name":"f","input_schema":{"maximum":${ID}}}]`;
    const body = `{"messages":[${addition},${call}],"tools":${tools}}`;
    const request = withExactHistory(Buffer.from(body), 'messages');
    expect(JSON.stringify(request.messages)).toBe(`[${JSON.stringify(JSON.parse(addition))},${call}]`);
    expect(request.tools).toEqual(JSON.parse(tools));
  });

  it('keeps all digits in calls and results of contents', () => {
    const contents = `[{"parts":[{"functionCall":{"name":"f","args":{"id":${ID}}}}]}]`;
    const { contents: parsed } = withExactHistory(Buffer.from(`{"contents":${contents}}`), 'contents');
    expect(JSON.stringify(parsed)).toBe(contents);
  });
});
