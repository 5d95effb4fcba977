import { GatewayError, STATE_FORMS } from '@gateway/contracts';
import type { StoredAnswer } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { KeptRequests } from '../../keep-requests/kept-requests.service.js';
import type { StoredResponsesReader } from '../../response-state/stored-responses.service.js';
import { admittedRequest } from '../../test-support/edge-fakes.js';
import type { FollowRequest } from '../requests/follow-request.service.js';
import { BackgroundResponses } from './background-responses.service.js';

const MEBIBYTE = 1024 * 1024;
const { key } = admittedRequest().caller;
const FORM = STATE_FORMS.interactions;
const ID = 'int_aaaaaaaaaaaaaaaaaaaaaaaaaa';

const INPUT = '[{"type":"user_input","content":[{"type":"text","text":"a \\"b\\""}]}]';
const ANSWER = '{"id":"int_a","labels":{"steps":"no"},"steps":[{"type":"model_output"}],"usage":{}}';

/** One stored interaction of these lengths. Records the texts that were read. */
function stored(lengths: { readonly inputBytes?: number; readonly responseBytes?: number }) {
  const { inputBytes = INPUT.length, responseBytes = ANSWER.length } = lengths;
  const found: StoredAnswer = {
    id: ID,
    model: 'gm-2.5-flash',
    status: 'completed',
    inputBytes,
    responseBytes,
    response: responseBytes > MEBIBYTE ? null : ANSWER,
  };
  const texts: string[] = [];
  const reader: Pick<StoredResponsesReader, 'find' | 'readText'> = {
    find: async () => found,
    readText: async (_key, _id, _form, column) => {
      texts.push(column);
      return column === 'input' ? INPUT : ANSWER;
    },
  };
  const requests: Pick<KeptRequests, 'findAny'> = { findAny: async () => undefined };
  const responses = new BackgroundResponses(
    reader as StoredResponsesReader,
    requests as KeptRequests,
    {} as FollowRequest,
  );
  const taken: number[] = [];
  return { responses, texts, taken, takeRoom: (bytes: number) => void taken.push(bytes) };
}

const noRoom = (): never => {
  throw new GatewayError('rate_limit_exceeded', 'no room');
};

describe('a stored answer', () => {
  it('is read without its input, and takes no room if it is short', async () => {
    const { responses, texts, taken, takeRoom } = stored({ inputBytes: 16 * MEBIBYTE });
    expect(await responses.read(key, ID, FORM, takeRoom)).toBe(ANSWER);
    expect([texts, taken]).toEqual([[], []]);
  });

  it('takes its room twice if it is long, before it is read', async () => {
    const { responses, texts, taken, takeRoom } = stored({ responseBytes: 5 * MEBIBYTE });
    await expect(responses.read(key, ID, FORM, noRoom)).rejects.toThrow('no room');
    expect(texts).toEqual([]);
    expect(await responses.read(key, ID, FORM, takeRoom)).toBe(ANSWER);
    expect([texts, taken]).toEqual([['response'], [10 * MEBIBYTE]]);
  });

  it('has its input before its steps, and takes the room of both at once', async () => {
    const { responses, texts, taken, takeRoom } = stored({ inputBytes: 3 * MEBIBYTE, responseBytes: 2 * MEBIBYTE });
    await expect(responses.readWithInput(key, ID, FORM, noRoom)).rejects.toThrow('no room');
    expect(texts).toEqual([]);
    const whole = JSON.parse((await responses.readWithInput(key, ID, FORM, takeRoom)).toString('utf8')) as object;
    const { steps, ...others } = JSON.parse(ANSWER) as { readonly steps: readonly object[] };
    expect(whole).toEqual({ ...others, steps: [...(JSON.parse(INPUT) as readonly object[]), ...steps] });
    expect([texts, taken]).toEqual([['input', 'response'], [10 * MEBIBYTE]]);
  });

  it('takes its room once while it is cancelled', async () => {
    const { responses, taken, takeRoom } = stored({ responseBytes: 2 * MEBIBYTE });
    const { signal } = new AbortController();
    expect(await responses.cancel(key, ID, FORM, { signal, takeRoom })).toBe(ANSWER);
    expect(taken).toEqual([4 * MEBIBYTE]);
  });

  it.each([
    ['the request that keeps it, too', 5, ['request', 'response']],
    ['and its running request is cancelled', null, ['cancel', 'response']],
    ['alone, if no request keeps it', undefined, ['response']],
  ])('is deleted %s', async (_what, finishedAtMs, expected) => {
    const steps: string[] = [];
    const step = (name: string) => async () => void steps.push(name);
    const request = finishedAtMs === undefined ? undefined : { requestId: 'req_a', finishedAtMs };
    const requests = { findAny: async () => request, delete: step('request'), requestCancel: step('cancel') };
    const reader = { find: async () => ({ id: ID }), delete: step('response') };
    const responses = new BackgroundResponses(
      reader as unknown as StoredResponsesReader,
      requests as unknown as KeptRequests,
      {} as FollowRequest,
    );
    await responses.delete(key, ID, FORM);
    expect(steps).toEqual(expected);
  });
});
