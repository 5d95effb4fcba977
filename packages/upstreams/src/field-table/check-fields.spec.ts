import { describe, expect, it } from '@jest/globals';
import { checkFields } from './check-fields.js';
import { droppedExcept, type FieldTable, free, priced, refused, refusedExcept } from './field-table.js';

const table: FieldTable = {
  title: 'T',
  source: 'https://vendor.example',
  unknown: { '': 'refused', open: 'sent', 'list[]': 'dropped' },
  fields: {
    ...free('F.', 'plain_name', 'open', 'list'),
    ...priced('P.', 'count', 'open.count'),
    ...refused('it has no price here.', 'search', 'open.search'),
    seed: droppedExcept('D.', 0),
    tier: refusedExcept("expected 'standard'.", { except: ['standard'] }),
    'list[].type': refusedExcept('expected a function.', { exceptLike: /^function/ }),
  },
};

const error = (body: object): unknown => {
  try {
    return checkFields(body as Readonly<Record<string, unknown>>, table);
  } catch (thrown) {
    const { code, message, details } = thrown as { code: string; message: string; details: { param: string } };
    return [code, details.param, message];
  }
};

describe('checkFields', () => {
  it('passes known fields and null, and returns what is dropped', () => {
    const body = {
      plain_name: 1,
      count: 2,
      seed: 7,
      tier: 'standard',
      search: null,
      list: [{ type: 'function_1', x: 1 }, 5],
    };
    expect(checkFields(body, table)).toEqual(['seed', 'list[0].x']);
    expect(checkFields({ seed: 0, open: { anything: {}, PlainName: 1 } }, table)).toEqual([]);
  });

  it.each([
    [{ foo: 1 }, 'unknown_parameter', 'foo', "Unknown parameter: 'foo'."],
    [{ search: {} }, 'unsupported_parameter', 'search', "'search': it has no price here."],
    [{ SEARCH: 1 }, 'unsupported_parameter', 'SEARCH', "'SEARCH': it has no price here."],
    [{ 'plain-name': 1 }, 'invalid_request', 'plain-name', "'plain-name': expected the spelling 'plain_name'."],
    [{ plainName: 1 }, 'invalid_request', 'plainName', "'plainName': expected the spelling 'plain_name'."],
    [{ tier: 'fast' }, 'unsupported_value', 'tier', "'tier': expected 'standard'."],
    [{ open: { Count: 4 } }, 'invalid_request', 'open.Count', "'open.Count': expected the spelling 'count'."],
    [{ open: { ſearch: 1 } }, 'unsupported_parameter', 'open.ſearch', "'open.ſearch': it has no price here."],
    [{ list: [{}, { type: 'x' }] }, 'unsupported_value', 'list[1].type', "'list[1].type': expected a function."],
    [{ list: [{ Type: 'x' }] }, 'unsupported_value', 'list[0].Type', "'list[0].Type': expected a function."],
  ])('rejects %j', (body, code, param, message) => {
    expect(error(body)).toEqual([code, param, message]);
  });

  it('does not take names of Object.prototype for known fields', () => {
    expect(error(JSON.parse('{"__proto__": {"a": 1}}'))).toEqual([
      'unknown_parameter',
      '__proto__',
      "Unknown parameter: '__proto__'.",
    ]);
    expect(error({ constructor: 1 })).toContain('unknown_parameter');
  });
});
