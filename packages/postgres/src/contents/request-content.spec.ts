import { describe, expect, it } from '@jest/globals';
import { openContent, type RequestContent, sealContent } from './request-content.js';

const KEY = Buffer.alloc(32, 3);
const PLACE = { accountId: 'acct_a', requestId: 'req_a' };
const part = (bytes: Buffer) => ({ contentType: 'text/plain', bytes, isTruncated: false });

describe('the content of a request', () => {
  it.each<[string, RequestContent]>([
    [
      'both sides',
      { request: part(Buffer.from('a')), response: part(Buffer.from('bc')), isResult: false, isComplete: true },
    ],
    ['no request', { request: null, response: part(Buffer.from([0, 255])), isResult: false, isComplete: false }],
    ['no response', { request: part(Buffer.from('a')), response: null, isResult: true, isComplete: true }],
    [
      'empty bytes',
      { request: part(Buffer.alloc(0)), response: part(Buffer.alloc(0)), isResult: false, isComplete: true },
    ],
  ])('opens as it was sealed: %s', (_which, content) => {
    expect(openContent(sealContent(content, KEY, PLACE), KEY, PLACE)).toEqual(content);
  });

  it('opens with no other key, account or request, and no changed byte', () => {
    const content = { request: part(Buffer.from('a')), response: null, isResult: false, isComplete: true };
    const sealed = sealContent(content, KEY, PLACE);
    const changed = Buffer.from(sealed);
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(() => openContent(sealed, Buffer.alloc(32), PLACE)).toThrow();
    expect(() => openContent(sealed, KEY, { ...PLACE, accountId: 'acct_b' })).toThrow();
    expect(() => openContent(sealed, KEY, { ...PLACE, requestId: 'req_b' })).toThrow();
    expect(() => openContent(changed, KEY, PLACE)).toThrow();
  });
});
