import { describe, expect, it } from '@jest/globals';
import { parseJsonBody } from './parse-json-body.js';
import { rejectDeepJson } from './reject-deep-json.js';

const nested = (levels: number, kind: 'list' | 'object' = 'object'): string =>
  kind === 'list'
    ? '['.repeat(levels) + ']'.repeat(levels)
    : `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('the depth of a body', () => {
  it.each(['list', 'object'] as const)('may be a hundred levels at most: %s', (kind) => {
    const body = (levels: number) => JSON.parse(`{"input":${nested(levels - 1, kind)}}`) as object;
    expect(() => rejectDeepJson(body(100))).not.toThrow();
    expect(() => rejectDeepJson(body(101))).toThrow("'input");
  });

  it('is rejected naming the field, at any depth', () => {
    const body = `{"model":"m","tools":[{}, {"function":{"parameters":${nested(100_000)}}}]}`;
    expect(() => parseJsonBody(Buffer.from(body))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: { param: 'tools[1].function.parameters' },
        message: "'tools[1].function.parameters': nested deeper than 100 levels.",
      }),
    );
  });
});
