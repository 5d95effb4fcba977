import type { ResponseEnding, ResponseHead } from '@gateway/contracts';
import { MAX_EARLIER_BYTES } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { FakeClaim } from '../test-support/fakes.js';
import { LeftResponse } from './left-response.js';

const HEAD: ResponseHead = { status: 200, headers: { 'content-type': 'text/event-stream' } };
const ENDING = {} as ResponseEnding;
const FAILED: ResponseEnding = { ...ENDING, failure: { code: 'upstream_error', message: 'broke' } };

function setUp(mostBytes = Number.MAX_SAFE_INTEGER) {
  const claim = new FakeClaim();
  const stored: [head: ResponseHead, body: string][] = [];
  let kept = 0;
  const response = new LeftResponse(claim, {
    reserve: (bytes) => {
      if (kept + bytes > mostBytes) return false;
      kept += bytes;
      return true;
    },
    release: (bytes) => {
      kept -= bytes;
    },
    store: async (head, body) => void stored.push([head, body.toString()]),
  });
  const lose = (): void => {
    claim.leave();
    claim.abort('edge_lost');
  };
  return { claim, response, stored, lose, kept: () => kept };
}

describe('LeftResponse', () => {
  it('stores the whole stream if client and edge have gone', async () => {
    const { claim, response, stored, lose, kept } = setUp();
    const shared = Buffer.from('one ');
    response.head(HEAD);
    response.data(shared);
    shared.fill('x');
    lose();
    response.data(Buffer.from('two'));
    await response.keep(ENDING);
    expect(stored).toEqual([[HEAD, 'one two']]);
    expect([kept(), claim.frames]).toEqual([0, ['head', 'data', 'data']]);
  });

  it('stores a response that is no stream', async () => {
    const { response, stored, lose } = setUp();
    lose();
    await response.keep({ ...ENDING, whole: { head: HEAD, body: Buffer.from('{}') } });
    response.data(Buffer.from('{}'));
    expect(stored).toEqual([[HEAD, '{}']]);
  });

  it.each<[string, (test: ReturnType<typeof setUp>) => ResponseEnding]>([
    ['whose client has stayed', () => ENDING],
    [
      'whose edge stores it',
      ({ claim }) => {
        claim.leave();
        return ENDING;
      },
    ],
    [
      'that broke off',
      ({ lose }) => {
        lose();
        return FAILED;
      },
    ],
  ])('leaves a response to its edge %s', async (_what, prepare) => {
    const test = setUp();
    test.response.head(HEAD);
    test.response.data(Buffer.from('one'));
    const ending = prepare(test);
    await test.response.keep(ending);
    test.response.end({ costNanoUsd: '1' });
    expect([test.stored, test.kept()]).toEqual([[], 0]);
  });

  it.each([
    ['with a long beginning', MAX_EARLIER_BYTES + 1, undefined],
    ['beyond the memory of the process', 2, 1],
  ])('stores no response %s', async (_what, bytes, mostBytes) => {
    const { response, stored, lose, kept } = setUp(mostBytes);
    response.head(HEAD);
    response.data(Buffer.alloc(bytes));
    expect(kept()).toBe(0);
    lose();
    response.data(Buffer.from('end'));
    await response.keep(ENDING);
    expect(stored).toEqual([]);
  });
});
