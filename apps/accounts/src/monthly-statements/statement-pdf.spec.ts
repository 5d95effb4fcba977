import { describe, expect, it } from '@jest/globals';
import { headLines, requestCount } from './statement-pdf.js';

const account = { id: 'acct_1', name: 'Ada Works', email: 'ada@example.com', timeZone: 'Asia/Kathmandu' };
const from = new Date('2026-10-31T18:15:00.000Z');

describe('the head of a statement', () => {
  it("names the organisation, and shows the month by the account's clock", () => {
    expect(headLines({ account, from, to: new Date('2026-11-30T18:15:00.000Z'), isFinal: true })).toEqual([
      'Ada Works',
      'ada@example.com · acct_1',
      '2026-11-01 00:00 to 2026-12-01 00:00 (Asia/Kathmandu)',
      'All amounts are in USD, with nine decimals.',
    ]);
  });

  it('says that a month has not ended, and leaves out a name that was not given', () => {
    const to = new Date('2026-11-23T21:39:15.360Z');
    expect(headLines({ account: { ...account, name: '' }, from, to, isFinal: false })).toEqual([
      'ada@example.com · acct_1',
      '2026-11-01 00:00 to 2026-11-24 03:24 (Asia/Kathmandu)',
      'Provisional: the month has not ended.',
      'All amounts are in USD, with nine decimals.',
    ]);
  });
});

describe('the charges of a statement', () => {
  it.each([
    [1n, '1 request'],
    [2n, '2 requests'],
    [12_345n, '12,345 requests'],
  ])('count %s as %s', (requests, words) => {
    expect(requestCount(requests)).toBe(words);
  });
});
