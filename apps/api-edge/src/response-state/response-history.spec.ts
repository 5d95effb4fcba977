import { GatewayError } from '@gateway/contracts';
import type { Conversations, ResponseChain, StoredResponses, StoredTurn } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { admittedRequest } from '../test-support/edge-fakes.js';
import { ResponseHistory } from './response-history.service.js';

const MEBIBYTE = 1024 * 1024;
const { key } = admittedRequest().caller;
const ID = 'resp_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const TURN: StoredTurn = {
  id: ID,
  model: 'gp-5.4-mini',
  status: 'completed',
  previousId: null,
  conversationId: null,
  conversationPosition: null,
  input: '"hi"',
  response: '{"output":[]}',
};

/** Stored responses of `bytes` together. Records each call with what it asked for. */
function historyOf(bytes: number, turns: readonly StoredTurn[] = [TURN]) {
  const size = { bytes };
  const calls: (readonly [string, number?])[] = [];
  const responses: Partial<StoredResponses> = {
    readChain: async (_reader, _id, maxBytes): Promise<ResponseChain> => {
      calls.push(['read', maxBytes]);
      return { turns, isTooLong: size.bytes > maxBytes };
    },
    measureChain: async (_reader, _id, maxBytes) => {
      calls.push(['measure', maxBytes]);
      return size.bytes;
    },
    measureReferenced: async () => bytes,
    findReferenced: async () => {
      calls.push(['find']);
      return turns;
    },
  };
  const conversations: Partial<Conversations> = { findItems: async () => [] };
  const history = new ResponseHistory(responses as StoredResponses, conversations as Conversations);
  const taken: number[] = [];
  return { history, size, calls, taken, takeRoom: (size: number) => void taken.push(size) };
}

describe('the history of a request', () => {
  it('is read at once if it is short, and takes no room', async () => {
    const { history, calls, taken, takeRoom } = historyOf(1_000);
    expect((await history.before(key, ID, takeRoom)).elements).toHaveLength(2);
    expect([calls, taken]).toEqual([[['read', MEBIBYTE]], []]);
  });

  it('is measured before it is read, and takes its room twice', async () => {
    const { history, calls, taken, takeRoom } = historyOf(5 * MEBIBYTE);
    await history.before(key, ID, takeRoom);
    expect(calls.map(([what]) => what)).toEqual(['read', 'measure', 'read']);
    expect(taken).toEqual([10 * MEBIBYTE]);
  });

  it('is known as long the next time, so that an account without room asks the database nothing', async () => {
    const { history, calls, taken, takeRoom } = historyOf(5 * MEBIBYTE);
    await history.before(key, ID, takeRoom);
    calls.length = 0;
    taken.length = 0;
    await history.before(key, ID, takeRoom);
    expect(calls.map(([what]) => what)).toEqual(['measure', 'read']);
    expect(taken).toEqual([0, 10 * MEBIBYTE]);
    calls.length = 0;
    const refuse = () => {
      throw new GatewayError('rate_limit_exceeded', 'no room');
    };
    await expect(history.before(key, ID, refuse)).rejects.toThrow('no room');
    expect(calls).toEqual([]);
  });

  it('is refused as too long if it has become so since, as that of a response that ran then', async () => {
    const { history, size, takeRoom } = historyOf(31 * MEBIBYTE);
    await history.before(key, ID, takeRoom);
    size.bytes = 33 * MEBIBYTE;
    await expect(history.before(key, ID, takeRoom)).rejects.toThrow(
      expect.objectContaining({ code: 'request_too_large' }),
    );
  });

  it('is not read without room, nor beyond 32 MiB', async () => {
    const { history, calls } = historyOf(5 * MEBIBYTE);
    const noRoom = (): void => {
      throw new GatewayError('service_unavailable', 'no room');
    };
    await expect(history.before(key, ID, noRoom)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(calls).toHaveLength(2);
    const long = historyOf(33 * MEBIBYTE);
    await expect(long.history.before(key, ID, long.takeRoom)).rejects.toMatchObject({ code: 'request_too_large' });
    expect([long.calls.length, long.taken]).toEqual([2, []]);
  });

  it('is too long for a list of its items above 8 MiB', async () => {
    const { history, calls, taken, takeRoom } = historyOf(9 * MEBIBYTE);
    await expect(history.items(key, ID, takeRoom)).rejects.toMatchObject({ code: 'request_too_large' });
    expect([calls, taken]).toEqual([
      [
        ['read', MEBIBYTE],
        ['measure', 8 * MEBIBYTE],
      ],
      [],
    ]);
  });

  it('takes room for a list of its items too, before it is read', async () => {
    const { history, calls, taken, takeRoom } = historyOf(7 * MEBIBYTE);
    expect(await history.items(key, ID, takeRoom)).toHaveLength(1);
    expect([calls.at(-1), taken]).toEqual([['read', 8 * MEBIBYTE], [14 * MEBIBYTE]]);
    const short = historyOf(1_000);
    await short.history.items(key, ID, short.takeRoom);
    expect(short.taken).toEqual([]);
  });

  it('is shown only to keys that may use the models of all its turns, and so are items that a request names', async () => {
    const output = [{ type: 'message', id: 'msg_other', role: 'assistant', content: [] }];
    const earlier = {
      ...TURN,
      id: ID.replace('resp_a', 'resp_b'),
      model: 'gm-2.5-pro',
      response: JSON.stringify({ output }),
    };
    const { history, takeRoom } = historyOf(1_000, [earlier, { ...TURN, previousId: null }]);
    const limited = { ...key, models: ['gp-5.4-mini'] };
    expect(await history.items(key, ID, takeRoom)).toHaveLength(3);
    expect(await history.items(limited, ID, takeRoom)).toBeNull();
    await expect(history.before(limited, ID, takeRoom)).rejects.toMatchObject({ code: 'previous_response_not_found' });
    expect((await history.referenced(key, ['msg_other'], takeRoom)).get('msg_other')).toEqual(output[0]);
    await expect(history.referenced(limited, ['msg_other'], takeRoom)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not read for references to more than 16 MiB', async () => {
    const { history, calls, takeRoom } = historyOf(17 * MEBIBYTE);
    await expect(history.referenced(key, ['msg_a'], takeRoom)).rejects.toMatchObject({ code: 'request_too_large' });
    expect(calls).toEqual([]);
  });
});
