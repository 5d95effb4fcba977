import { createHash } from 'node:crypto';
import { MODELS } from '@gateway/catalogue';
import { GatewayError, VIDEO_PROTOCOL_IDS, type VideoProtocolId, type VideoSubmission } from '@gateway/contracts';
import { VIDEO_PROTOCOLS, type WireRequest } from '@gateway/upstreams';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FakeThreads } from '../../test-support/fake-threads.js';
import { type ReceivedSubmission, receiveSubmission, type SubmitCall } from '../received-submission.js';
import { ReceiveSubmission } from './receive-submission.service.js';

const MEBIBYTE = 1024 * 1024;
const IMAGE = `data:image/png;base64,${'iVBO'.repeat(300_000)}`;
const PROMPT = 'A “paper” boat, é 😀';

const SUBMISSION: VideoSubmission = {
  schemaVersion: 1,
  taskId: 'task_abcdefghijklmnopqrstuvwxyz',
  durationSeconds: 5,
  resolution: '720p',
  aspectRatio: '16:9',
  unit: 'second_720p',
  input: { prompt: PROMPT, img_url: IMAGE, file: 'oss://bucket/one', seed: 3 },
  parameters: { resolution: '720P', duration: 5, seed: 7 },
  webhookUrl: 'https://client.example/hook',
  channelId: 'ark-1',
  idempotency: { key: 'k', fingerprint: 'f' },
};

const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));
const SHORT = { ...SUBMISSION, input: { ...SUBMISSION.input, img_url: 'https://client.example/1.png' } };

const modelOf = (protocol: VideoProtocolId) => {
  const found = MODELS.find(({ video }) => video?.protocol === protocol);
  if (found?.video === undefined) throw new Error(`no model speaks ${protocol}`);
  return { id: found.id, traits: found.video.traits };
};

function submitOf(protocol: VideoProtocolId): SubmitCall {
  const { id, traits } = modelOf(protocol);
  return {
    protocol,
    call: { publicModel: id, traits, requestId: 'req_1', createdSeconds: 1_795_168_800 },
    target: { baseUrl: 'https://vendor.example', credential: 'secret', upstreamModel: 'theirs' },
  };
}

function setUp() {
  const threads = new FakeThreads();
  return { threads, service: new ReceiveSubmission(threads) };
}

function received(submission: ReceivedSubmission | undefined): ReceivedSubmission {
  if (submission === undefined) throw new Error('not received');
  return submission;
}

/** A difference of megabytes cannot be printed. */
function brief({ body, ...wire }: WireRequest) {
  const bytes = Buffer.from(body ?? '');
  return { ...wire, body: [bytes.length, createHash('sha256').update(bytes).digest('hex')] };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a long submission', () => {
  it.each(VIDEO_PROTOCOL_IDS)('goes to the upstream of %s as from the event loop, each time', async (protocol) => {
    const { threads, service } = setUp();
    const local = received(receiveSubmission(bytesOf(SUBMISSION)));
    const remote = received(await service.receive(bytesOf(SUBMISSION)));
    expect(remote.facts).toEqual(local.facts);
    const ours = brief(await local.buildSubmit(submitOf(protocol)));
    for (const _channel of [1, 2]) expect(brief(await remote.buildSubmit(submitOf(protocol)))).toEqual(ours);
    expect(threads.names).toEqual(['buildSubmit', 'buildSubmit']);
    remote.close();
    expect(threads.sessionCount).toBe(0);
  });

  it('is parsed, encoded and written in the thread only', async () => {
    const { service } = setUp();
    const body = bytesOf(SUBMISSION);
    const remote = received(await service.receive(body));
    // Its memory has moved.
    expect(body.length).toBe(0);
    expect(remote.facts).not.toHaveProperty('input');
    expect(remote.facts).not.toHaveProperty('parameters');
    expect(remote.facts).toMatchObject({ prompt: PROMPT, seed: 7, channelId: 'ark-1' });
    expect((await remote.buildSubmit(submitOf('ark-video'))).body).not.toEqual(expect.any(String));
  });

  it('keeps a prompt of megabytes out of the task, not out of the request', async () => {
    const { service } = setUp();
    const input = { prompt: 'é'.repeat(2 * MEBIBYTE) };
    const remote = received(await service.receive(bytesOf({ ...SUBMISSION, input })));
    expect(remote.facts.prompt).toBeNull();
    const { body } = await remote.buildSubmit(submitOf('xai-video'));
    expect(JSON.parse(Buffer.from(body ?? '').toString()).prompt).toHaveLength(2 * MEBIBYTE);
  });

  it('is refused by its protocol as in the event loop', async () => {
    const { service } = setUp();
    const refusal = new GatewayError('invalid_request', 'No.', { param: 'input.content' });
    jest.spyOn(VIDEO_PROTOCOLS['ark-video'], 'buildSubmit').mockImplementation(() => {
      throw refusal;
    });
    const remote = received(await service.receive(bytesOf(SUBMISSION)));
    const refused = Promise.resolve(remote.buildSubmit(submitOf('ark-video')));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', message: 'No.', details: refusal.details });
  });

  it('of a newer edge is not received, and leaves nothing in the thread', async () => {
    const { threads, service } = setUp();
    expect(await service.receive(bytesOf({ ...SUBMISSION, schemaVersion: 2 }))).toBeUndefined();
    expect(threads.sessionCount).toBe(0);
  });

  it('fails with the error of its thread', async () => {
    const failed = new GatewayError('service_unavailable', 'The thread failed.');
    const service = new ReceiveSubmission({ open: async () => Promise.reject(failed) });
    await expect(service.receive(bytesOf(SUBMISSION))).rejects.toBe(failed);
  });
});

describe('a short submission', () => {
  it('stays in the event loop', async () => {
    const { threads, service } = setUp();
    const submission = received(await service.receive(bytesOf(SHORT)));
    for (const protocol of VIDEO_PROTOCOL_IDS) {
      const { body } = await submission.buildSubmit(submitOf(protocol));
      expect(JSON.parse(String(body))).toMatchObject({ model: 'theirs' });
    }
    expect([threads.names, threads.sessionCount]).toEqual([[], 0]);
    expect(await service.receive(bytesOf({ ...SHORT, schemaVersion: 2 }))).toBeUndefined();
  });

  it('may have a mebibyte', async () => {
    const { threads, service } = setUp();
    const padded = (bytes: number) => {
      const base = bytesOf({ ...SHORT, input: { pad: '' } }).length;
      return bytesOf({ ...SHORT, input: { pad: 'x'.repeat(bytes - base) } });
    };
    await service.receive(padded(MEBIBYTE));
    expect(threads.sessionCount).toBe(0);
    await service.receive(padded(MEBIBYTE + 1));
    expect(threads.sessionCount).toBe(1);
  });
});
