import { expect, it } from '@jest/globals';
import { numberOrText, usdOrText } from './number-text.js';

it.each([
  ['60', 60],
  [' 0.5 ', 0.5],
  ['', null],
  ['  ', null],
  ['1,000', 1_000],
  ['12,345.5', 12_345.5],
  ['-3', -3],
  // JSON has none of these: as numbers they would mean that there is no limit.
  ['ten', 'ten'],
  ['Infinity', 'Infinity'],
  // Numbers of a program, and decimal commas.
  ['0x10', '0x10'],
  ['1e3', '1e3'],
  ['0,5', '0,5'],
  ['1,00', '1,00'],
  ['1,0000', '1,0000'],
])('sends %j as %j', (text, sent) => {
  expect(numberOrText(text)).toBe(sent);
});

it.each([
  ['5', '5'],
  [' 2.50 ', '2.50'],
  ['$5', '5'],
  ['$ 5', '5'],
  ['1,000', '1000'],
  ['$1,234,567.000000001', '1234567.000000001'],
  ['-$3.00', '-3.00'],
  ['−$1,000.00', '-1000.00'],
  ['', ''],
  ['0,5', '0,5'],
  ['1,00', '1,00'],
  ['5 USD', '5 USD'],
  ['€5', '€5'],
  ['0x10', '0x10'],
])('sends the amount %j as %j', (text, sent) => {
  expect(usdOrText(text)).toBe(sent);
});
