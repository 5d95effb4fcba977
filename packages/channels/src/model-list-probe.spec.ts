import type { HttpPools, HttpRequest, HttpResponse } from '@gateway/http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ModelListProbe } from './model-list-probe.js';

const CHANNEL = { id: 'c', vendor: 'anthropic', baseUrl: 'https://vendor', credential: 'k', weight: 1 } as const;

const sent: HttpRequest[] = [];

/** A vendor that gives the responses in order, the last one again and again. */
function probeOf(...responses: readonly (readonly [status: number, body: unknown])[]): ModelListProbe {
  sent.length = 0;
  const send = async (request: HttpRequest) => {
    sent.push(request);
    const [status, body] = responses[Math.min(sent.length, responses.length) - 1] as readonly [number, unknown];
    if (status === 0) throw new Error('away');
    return { status, headers: {}, bytes: async () => Buffer.from(JSON.stringify(body)) } as unknown as HttpResponse;
  };
  return new ModelListProbe({ send } as Pick<HttpPools, 'send'>);
}

const list = (ids: readonly string[], more: object = {}) =>
  [200, { data: ids.map((id) => ({ id })), ...more }] as const;

afterEach(() => void jest.useRealTimers());

describe('ModelListProbe', () => {
  it('says whether a complete list has the model, also under a dated name', async () => {
    const probe = probeOf(list(['model-a', 'model-b-20260101', 'model-c-lite']));
    expect(await probe.check(CHANNEL, 'model-a')).toBe('listed');
    expect(await probe.check(CHANNEL, 'model-b')).toBe('listed');
    expect(await probe.check(CHANNEL, 'model-c')).toBe('model_missing');
    expect(sent.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['https://vendor/v1/models?limit=1000', 'k'],
    ]);
  });

  it('reads every page', async () => {
    const probe = probeOf(list(['model-a'], { has_more: true, last_id: 'model-a' }), list(['model-b']));
    expect(await probe.check(CHANNEL, 'model-b')).toBe('listed');
    expect(sent[1]?.url).toBe('https://vendor/v1/models?limit=1000&after_id=model-a');
  });

  it('does not take an incomplete list for the absence of a model', async () => {
    const probe = probeOf(list(['grok-4']));
    expect(await probe.check({ ...CHANNEL, vendor: 'xai' }, 'grok-imagine-video')).toBe('listed');
  });

  it.each([
    ['refused', 401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
    ['unknown', 403, { type: 'error', error: { type: 'permission_error', message: 'not allowed' } }],
    ['unknown', 500, {}],
    ['unknown', 200, { models: [] }],
    ['unknown', 0, {}],
  ] as const)('says %s after a %i', async (result, status, body) => {
    expect(await probeOf([status, body]).check(CHANNEL, 'model-a')).toBe(result);
  });

  it('reads from the reason that an account is out of credit', async () => {
    const spent = {
      code: 'permission-denied',
      error: 'Your team has either used all available credits or reached its limit.',
    };
    expect(await probeOf([403, spent]).check({ ...CHANNEL, vendor: 'xai' }, 'grok-4')).toBe('refused');
  });

  it('asks a vendor once a minute for each channel, also for concurrent checks', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const probe = probeOf(list(['model-a']));
    await Promise.all([probe.check(CHANNEL, 'model-a'), probe.check(CHANNEL, 'model-b')]);
    await probe.check(CHANNEL, 'model-a');
    expect(sent).toHaveLength(1);
    await probe.check({ ...CHANNEL, id: 'other' }, 'model-a');
    expect(sent).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    await probe.check(CHANNEL, 'model-a');
    expect(sent).toHaveLength(3);
  });

  it('sends nothing where the vendor has no list', async () => {
    const probe = probeOf([500, {}]);
    expect(await probe.check({ ...CHANNEL, vendor: 'voyage' }, 'voyage-4')).toBe('unknown');
    expect(sent).toEqual([]);
  });
});
