import { describe, expect, it } from '@jest/globals';
import { csvField, csvRows } from './csv.js';

describe('CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a,"b"', '"a,""b"""'],
    ['=1+1', "'=1+1"],
    ['=cmd()', "'=cmd()"],
    ['-1+cmd()', "'-1+cmd()"],
    ['@sum', "'@sum"],
    ['\n=1+1', '"\'\n=1+1"'],
    ['\t=1+1', "'\t=1+1"],
    ['\uFF1D1+1', "'\uFF1D1+1"],
    ['-0.005', '-0.005'],
  ])('writes %s as %s', (value, field) => {
    expect(csvField(value)).toBe(field);
  });

  it('has a line for each row', () => {
    expect(
      csvRows([
        ['a', 'b'],
        ['1', ''],
      ]),
    ).toBe('a,b\r\n1,\r\n');
  });
});
