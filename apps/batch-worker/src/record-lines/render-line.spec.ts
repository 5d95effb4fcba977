import { describe, expect, it } from '@jest/globals';
import type { LineEnd } from './line-end.js';
import { renderLine } from './render-line.js';

const body = Buffer.from('{\n  "a": "x\\n"\r\n}');
const completed: LineEnd = {
  line: 7,
  customId: 'i"d',
  outcome: 'completed',
  costNanoUsd: 1n,
  response: { status: 200, requestId: 'req_1', body },
};
const notRun = (outcome: LineEnd['outcome'], code: string): LineEnd => ({
  line: 7,
  customId: 'a',
  outcome,
  costNanoUsd: 0n,
  error: { code, message: 'Why.' },
});

describe('renderLine', () => {
  it("writes a response in OpenAI's format, in one line", () => {
    const line = renderLine('openai', completed).toString();
    expect(line.trimEnd()).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line)).toEqual({
      id: 'batch_req_1',
      custom_id: 'i"d',
      response: { status_code: 200, request_id: 'req_1', body: { a: 'x\n' } },
      error: null,
    });
  });

  it('writes what has not run with its reason', () => {
    expect(JSON.parse(renderLine('openai', notRun('expired', 'batch_expired')).toString())).toEqual({
      id: 'batch_req_line_7',
      custom_id: 'a',
      response: null,
      error: { code: 'batch_expired', message: 'Why.', line: 7 },
    });
  });

  it("writes each outcome in Anthropic's format", () => {
    const resultOf = (end: LineEnd): unknown => JSON.parse(renderLine('anthropic', end).toString()).result;
    expect(resultOf(completed)).toEqual({ type: 'succeeded', message: { a: 'x\n' } });
    expect(resultOf({ ...completed, outcome: 'failed' })).toEqual({ type: 'errored', error: { a: 'x\n' } });
    expect(resultOf(notRun('cancelled', 'x'))).toEqual({ type: 'canceled' });
    expect(resultOf(notRun('expired', 'x'))).toEqual({ type: 'expired' });
    expect(resultOf(notRun('failed', 'invalid_api_key'))).toEqual({
      type: 'errored',
      error: { type: 'error', error: { type: 'authentication_error', message: 'Why.' }, request_id: null },
    });
  });

  it('keeps a body that is no JSON as a text', () => {
    const text = { ...completed, response: { status: 200, requestId: 'req_1', body: Buffer.from('no\njson') } };
    expect(JSON.parse(renderLine('openai', text).toString()).response.body).toBe('no\njson');
  });
});
