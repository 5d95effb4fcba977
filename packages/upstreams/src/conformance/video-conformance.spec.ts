import { VIDEO_PROTOCOL_IDS, type VideoProtocolId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { VideoProtocol, WireRequest } from '../protocol.js';
import { VIDEO_PROTOCOLS } from '../registry.js';
import { damagedBytes } from './damaged-bytes.js';
import { failureFixtures } from './fixtures.js';
import { gatewayErrorOf } from './thrown-error.js';
import { bytesOf, videoCallOf, videoFixtures, videoTargetOf } from './video-fixtures.js';

const protocolOf = (id: VideoProtocolId): VideoProtocol => VIDEO_PROTOCOLS[id];
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Only the headers hold the credential. */
function expectGuarded({ url, headers, body }: WireRequest): void {
  expect(headers.authorization).toBe('Bearer secret-credential');
  expect(`${url}${body}`).not.toContain('secret-credential');
}

describe.each(VIDEO_PROTOCOL_IDS)('%s', (id) => {
  const protocol = protocolOf(id);
  const statuses = videoFixtures(id, 'statuses');

  it('is registered under its own id', () => {
    expect(protocol.id).toBe(id);
  });

  it.each(videoFixtures(id, 'requests'))('submits: $name', ({ client, upstream }) => {
    const model = (upstream.body as { model: string }).model;
    const request = protocol.buildSubmit(videoCallOf(client), videoTargetOf(model));
    expect(request.method).toBe('POST');
    expect(request.url).toBe(`https://upstream.example${upstream.url}`);
    expect(JSON.parse(String(request.body))).toEqual(upstream.body);
    expectGuarded(request);
  });

  it('sets the upstream model, whatever the client’s fields say', () => {
    const sneaky = { model: 'x', input: { model: 'pricier' }, parameters: { model: 'priciest' } };
    const request = protocol.buildSubmit(videoCallOf(sneaky), videoTargetOf('the-upstream-model'));
    expect((JSON.parse(String(request.body)) as { model: string }).model).toBe('the-upstream-model');
  });

  it.each(videoFixtures(id, 'submitted'))('reads the task id: $name', ({ body, upstreamTaskId }) => {
    expect(protocol.readSubmitted(bytesOf(body))).toEqual({ upstreamTaskId });
  });

  it('throws for a response without a task id', () => {
    for (const body of [{}, { output: {} }, { id: '' }, { request_id: 5 }, [], 'x', { output: { task_id: null } }]) {
      expect(gatewayErrorOf(() => protocol.readSubmitted(bytesOf(body)))?.code).toBe('upstream_error');
    }
    expect(gatewayErrorOf(() => protocol.readSubmitted(Buffer.from('<html>')))?.code).toBe('upstream_error');
  });

  it('polls one task, and escapes its id', () => {
    const request = protocol.buildPoll('a/../b?c=d', videoTargetOf('m'));
    expect(request).toMatchObject({ method: 'GET', body: null });
    expect(request.url.endsWith('/a%2F..%2Fb%3Fc%3Dd')).toBe(true);
    expectGuarded(request);
  });

  it.each(statuses)('reads the state: $name', ({ body, reading, native: shown }) => {
    const { native, ...read } = protocol.readStatus(bytesOf(body));
    expect(read).toEqual(reading);
    expect(native).toEqual(shown ?? body ?? { status: 'pending' });
  });

  it.each(videoFixtures(id, 'unreadable'))('throws for an unreadable status: $name', ({ body }) => {
    expect(gatewayErrorOf(() => protocol.readStatus(bytesOf(body)))?.code).toBe('upstream_error');
  });

  it.each(failureFixtures(id))('classifies the failure of a submission: $name', (fixture) => {
    const body = Buffer.from(JSON.stringify(fixture.body));
    const failure = protocol.readFailure({ status: fixture.status, headers: fixture.headers, body });
    expect(failure.kind).toBe(fixture.kind);
    expect(failure.error.code).toBe(fixture.code);
    expect(failure.retryAfterMs).toBe(fixture.retryAfterMs);
    const passed = failure.error.details.passThrough;
    if (fixture.passes === undefined) {
      expect(passed).toBeUndefined();
      expect(failure.error.message).not.toMatch(/quota|key|team|billing|account|credit|balance/i);
    } else {
      // The client's own fault passes through byte for byte.
      expect(passed).toEqual({ status: fixture.status, contentType: 'application/json', body: body.toString('utf8') });
    }
  });

  it.each(videoFixtures(id, 'poll-failures'))(
    'classifies the failure of a poll: $name',
    ({ status, body, state, kind }) => {
      const read = protocol.readPollFailure({ status, headers: JSON_HEADERS, body: bytesOf(body) });
      if (state === undefined) expect(read).toMatchObject({ kind });
      else expect(read).toEqual({ state, native: body });
    },
  );

  it('throws only GatewayErrors for garbage', () => {
    const known = statuses.filter(({ body }) => body !== null).map(({ body }) => bytesOf(body));
    const damaged = damagedBytes(known);
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json().map(Buffer.from)), (bytes) => {
        gatewayErrorOf(() => {
          const reading = protocol.readStatus(bytes);
          if (reading.state === 'succeeded') expect(reading.videoUrl).toMatch(/^https?:\/\//);
        });
        gatewayErrorOf(() => protocol.readSubmitted(bytes));
        gatewayErrorOf(() => protocol.find?.read(bytes, videoTargetOf('m')));
        protocol.readPollFailure({ status: 404, headers: {}, body: bytes });
        protocol.cancel?.isRefusal({ status: 400, headers: {}, body: bytes });
      }),
      { numRuns: 4_000 },
    );
  });
});

const CANCELLING = VIDEO_PROTOCOL_IDS.filter((id) => protocolOf(id).cancel !== undefined);

describe.each(CANCELLING)('%s cancels', (id) => {
  const { cancel } = protocolOf(id);
  if (cancel === undefined) throw new Error(id);

  it('one task', () => {
    const request = cancel.build('t-1', videoTargetOf('m'));
    expect({ method: request.method, url: request.url }).toEqual(
      id === 'ark-video'
        ? { method: 'DELETE', url: 'https://upstream.example/api/v3/contents/generations/tasks/t-1' }
        : { method: 'POST', url: 'https://upstream.example/api/v1/tasks/t-1/cancel' },
    );
    expectGuarded(request);
  });

  it.each(videoFixtures(id, 'cancels'))('or reads the refusal: $name', ({ status, body, isRefusal }) => {
    expect(cancel.isRefusal({ status, headers: JSON_HEADERS, body: bytesOf(body) })).toBe(isRefusal);
  });
});

const LISTING = VIDEO_PROTOCOL_IDS.filter((id) => protocolOf(id).find !== undefined);

describe.each(LISTING)('%s lists', (id) => {
  const { find } = protocolOf(id);
  if (find === undefined) throw new Error(id);

  it.each(videoFixtures(id, 'lists'))('the tasks of a model: $name', ({ body, model, found, url, window }) => {
    const request = find.build(window, videoTargetOf(model));
    expect(request.url).toBe(`https://upstream.example${url}`);
    expectGuarded(request);
    expect(find.read(bytesOf(body), videoTargetOf(model))).toEqual(found);
  });

  it('or throws for a response without a list: an empty list would count as proof', () => {
    for (const body of [
      {},
      { data: {} },
      { items: 'x' },
      [],
      { data: [{ model_name: 'm' }], items: [{ model: 'm' }] },
    ]) {
      expect(gatewayErrorOf(() => find.read(bytesOf(body), videoTargetOf('m')))?.code).toBe('upstream_error');
    }
  });
});

describe('xai-video', () => {
  it('neither lists tasks nor cancels them', () => {
    expect(protocolOf('xai-video')).not.toHaveProperty('cancel');
    expect(protocolOf('xai-video')).not.toHaveProperty('find');
  });
});

describe('dashscope-video', () => {
  it('sends the async header, and the OSS header for files of the vendor’s store', () => {
    const submit = (url: string) =>
      protocolOf('dashscope-video').buildSubmit(
        videoCallOf({ model: 'wn2.6-i2v', input: { img_url: url }, parameters: {} }),
        videoTargetOf('wan2.6-i2v'),
      ).headers;
    expect(submit('https://a.example/1.png')).toMatchObject({ 'x-dashscope-async': 'enable' });
    expect(submit('https://a.example/1.png')).not.toHaveProperty('x-dashscope-ossresourceresolve');
    expect(submit('oss://bucket/1.png')).toMatchObject({ 'x-dashscope-ossresourceresolve': 'enable' });
  });
});
