import { type ImageEditModelTraits, type LoadedFile, PARTIAL_IMAGE_TOKENS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { failureFixtures } from '../conformance/fixtures.js';
import type { ImageEditCall } from '../protocol.js';
import { openAiImageEdits } from './index.js';

const base = {
  sizes: ['1024x1024'],
  promptCharacters: 1_000,
  images: { most: 16, bytes: 1_000 },
  supportsMask: true,
  supportsFidelity: true,
};
const TODAY: ImageEditModelTraits = {
  ...base,
  billing: { by: 'tokens', imageTokens: { low: 200, medium: 1_000, high: 4_000 }, referenceTokens: 323 },
};
const LEGACY: ImageEditModelTraits = {
  ...base,
  billing: {
    by: 'images',
    unitOfSize: { '512x512': 'image_512', '1024x1024': 'image_1024' },
    defaultSize: '1024x1024',
  },
};
const target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'upstream-model' };

const file = (field: LoadedFile['field'], text: string): LoadedFile => {
  const content = Buffer.from(text);
  return { field, format: 'png', width: 8, height: 8, bytes: content.length, content };
};

function callOf(traits: ImageEditModelTraits, more: Partial<ImageEditCall['request']> = {}): ImageEditCall {
  return {
    request: { model: 'public', prompt: 'Replace the sky', files: [file('image', 'one')], ...more },
    publicModel: 'public',
    traits,
    requestId: 'req_abcdefghijklmnopqrstuvwxyz',
    createdSeconds: 1,
  };
}

async function formOf(call: ImageEditCall): Promise<readonly (readonly [string, string])[]> {
  const { body, headers, url } = openAiImageEdits.buildRequest(call, target);
  expect(url).toBe('https://upstream.example/v1/images/edits');
  expect(headers.authorization).toBe('Bearer secret');
  const form = await new Response(Buffer.from(body as Uint8Array), { headers: { ...headers } }).formData();
  const entries: [string, string][] = [];
  for (const [name, value] of form) entries.push([name, typeof value === 'string' ? value : await value.text()]);
  return entries;
}

describe('a model that stands in for a retired one', () => {
  const STANDS_IN: ImageEditModelTraits = { ...TODAY, standsIn: { size: '1024x1024', quality: 'low' } };

  it('sends a size and a quality that the model has, and reports them', async () => {
    const call = callOf(STANDS_IN, { size: '256x256', response_format: 'url' });
    expect(await formOf(call)).toEqual(
      expect.arrayContaining([
        ['size', '1024x1024'],
        ['quality', 'low'],
      ]),
    );
    const filled = { size: '1024x1024', quality: 'low' };
    expect(openAiImageEdits.buildRequest(call, target).changes).toMatchObject({ filled, dropped: [] });
    const chosen = openAiImageEdits.buildRequest(callOf(STANDS_IN, { size: '1024x1024', quality: 'hd' }), target);
    expect(chosen.changes?.filled).toEqual({ quality: 'high' });
  });

  it('returns the image in the URL that the client asked for', () => {
    const body = Buffer.from(JSON.stringify({ created: 1, data: [{ b64_json: 'AAAA' }] }));
    const read = (format: 'url' | 'b64_json') =>
      JSON.parse(
        Buffer.from(openAiImageEdits.readReply(body, callOf(STANDS_IN, { response_format: format })).body).toString(),
      );
    expect(read('url')).toEqual({ created: 1, data: [{ url: 'data:image/png;base64,AAAA' }] });
    expect(read('b64_json')).toEqual({ created: 1, data: [{ b64_json: 'AAAA' }] });
    const asked = callOf(STANDS_IN, { response_format: 'url', output_format: 'webp' });
    expect(Buffer.from(openAiImageEdits.readReply(body, asked).body).toString()).toContain('data:image/webp;');
  });
});

describe('the request', () => {
  it('is a form for the upstream model, with several references and a mask', async () => {
    const files = [file('image', 'one'), file('image', 'two'), file('mask', 'three')];
    const request = { files, n: 2, quality: 'hd', response_format: 'b64_json', user: 'u\r\n"1"' } as const;
    expect(await formOf(callOf(TODAY, request))).toEqual(
      expect.arrayContaining([
        ['model', 'upstream-model'],
        ['prompt', 'Replace the sky'],
        ['n', '2'],
        ['quality', 'high'],
        ['user', 'u\r\n"1"'],
        ['image[]', 'one'],
        ['image[]', 'two'],
        ['mask', 'three'],
      ]),
    );
    expect(await formOf(callOf(TODAY, request))).toHaveLength(8);
  });

  it('sends only known fields to the legacy model', async () => {
    const request = { quality: 'standard', background: 'auto', size: 'auto' } as const;
    expect(await formOf(callOf(LEGACY, request))).toEqual([
      ['prompt', 'Replace the sky'],
      ['response_format', 'b64_json'],
      ['model', 'upstream-model'],
      ['image', 'one'],
    ]);
  });

  it('survives a text that contains the boundary', async () => {
    const prompt = 'x\r\n--gateway-req_abcdefghijklmnopqrstuvwxyz\r\n';
    expect(await formOf(callOf(TODAY, { prompt }))).toContainEqual(['prompt', prompt]);
  });
});

describe('the reply', () => {
  const read = (call: ImageEditCall, body: object) =>
    openAiImageEdits.readReply(Buffer.from(JSON.stringify(body)), call);

  it("is billed by the upstream's own count", () => {
    const usage = {
      input_tokens: 388,
      input_tokens_details: { image_tokens: 377, text_tokens: 11 },
      output_tokens: 1_056,
      output_tokens_details: { image_tokens: 1_056, text_tokens: 0 },
    };
    expect(read(callOf(TODAY), { data: [{ b64_json: 'AA' }], usage }).usage).toEqual({
      units: { input_token: 11, input_image_token: 377, output_image_token: 1_056 },
      inputTokensTotal: 388,
      isEstimated: false,
    });
  });

  it('is estimated if the upstream sends no usage', () => {
    const reply = read(callOf(TODAY), { data: [{ b64_json: 'AA' }], size: '1024x1024', quality: 'medium' });
    expect(reply.usage).toEqual({
      units: { input_token: 4, input_image_token: 323, output_image_token: 1_000 },
      inputTokensTotal: 4,
      isEstimated: true,
    });
  });

  it('of the legacy model is billed by images and size', () => {
    const data = [{ url: 'https://a.example/1.png' }, { b64_json: 'AA' }, {}];
    expect(read(callOf(LEGACY, { size: '512x512' }), { data }).usage).toMatchObject({
      units: { image_512: 2 },
      isEstimated: false,
    });
    expect(read(callOf(LEGACY, { size: 'auto' }), { data }).usage.units).toEqual({ image_1024: 2 });
  });

  it.each([{}, { data: [] }, { data: [{}] }, { error: { message: 'x', type: 'server_error' } }])(
    'is an error of the upstream: %j',
    (body) => {
      expect(() => read(callOf(TODAY), body)).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    },
  );
});

describe('a stream', () => {
  const event = (type: string, more: object = {}) =>
    Buffer.from(
      `event: image_edit.${type}\ndata: ${JSON.stringify({ type: `image_edit.${type}`, b64_json: 'AA', size: '1024x1024', quality: 'low', ...more })}\n\n`,
    );
  const usage = (input: number, output: number) => ({
    usage: {
      input_tokens: input,
      input_tokens_details: { image_tokens: input === 0 ? 0 : input - 4, text_tokens: input === 0 ? 0 : 4 },
      output_tokens: output,
      output_tokens_details: { image_tokens: output, text_tokens: 0 },
    },
  });
  const readAll = (frames: readonly Buffer[], more: Partial<ImageEditCall['request']> = {}) => {
    const reader = openAiImageEdits.openReader(callOf(TODAY, { stream: true, partial_images: 1, ...more }));
    const passed = Buffer.concat(frames.map((frame) => Buffer.from(reader.read(frame))));
    expect(passed).toEqual(Buffer.concat(frames));
    return reader;
  };

  it('is asked for in the form', async () => {
    const call = callOf(TODAY, { stream: true, partial_images: 2 });
    expect(await formOf(call)).toEqual(
      expect.arrayContaining([
        ['stream', 'true'],
        ['partial_images', '2'],
      ]),
    );
    expect(openAiImageEdits.buildRequest(call, target).headers.accept).toBe('text/event-stream');
  });

  it('passes by its bytes, and is billed by the count of each image', () => {
    const frames = [
      event('partial_image'),
      event('completed', usage(327, 300)),
      event('partial_image'),
      event('completed', usage(0, 300)),
    ];
    const reader = readAll(frames, { n: 2 });
    expect(reader.isFinal).toBe(true);
    expect(reader.usage()).toEqual({
      units: { input_token: 4, input_image_token: 323, output_image_token: 600 },
      inputTokensTotal: 327,
      isEstimated: false,
    });
  });

  it('that breaks off is billed as its vendor bills it: an image that has begun is whole', () => {
    expect(readAll([event('partial_image')]).usage()).toEqual({
      units: { input_token: 4, input_image_token: 323, output_image_token: 200 + PARTIAL_IMAGE_TOKENS },
      inputTokensTotal: 4,
      isEstimated: true,
    });
    expect(readAll([]).usage().units).toEqual({});
  });

  it('without counts counts its references once', () => {
    const one = [event('partial_image'), event('completed')];
    expect(readAll([...one, ...one], { n: 2 }).usage().units).toEqual({
      input_token: 4,
      input_image_token: 323,
      output_image_token: 2 * (200 + PARTIAL_IMAGE_TOKENS),
    });
  });
});

it.each(failureFixtures('openai-image-edits'))(
  'classifies the failure: $name',
  ({ status, headers, body, ...expected }) => {
    const failure = { status, headers, body: Buffer.from(JSON.stringify(body)) };
    const { kind, error } = openAiImageEdits.readFailure(failure);
    expect({ kind, code: error.code }).toEqual({ kind: expected.kind, code: expected.code });
    const { passThrough } = error.details;
    expect(passThrough === undefined ? undefined : JSON.parse(passThrough.body)).toEqual(expected.passes);
  },
);
