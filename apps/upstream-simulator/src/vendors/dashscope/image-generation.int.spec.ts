import { describe, expect, it } from '@jest/globals';
import { readImageSize } from '../../media/image-size.js';
import { ImageClient } from '../../test-support/image-client.js';

const { post, lastLine } = await ImageClient.start('/dashscope/api/v1/services/aigc/multimodal-generation/generation');
const text = { text: 'HELLO' };
const image = { image: 'https://cdn.example.com/1.png' };
const body = (model: string, content: readonly object[], parameters: object = {}) => ({
  model,
  input: { messages: [{ role: 'user', content }] },
  parameters,
});

interface Completion {
  readonly output: {
    readonly choices: readonly [{ readonly message: { readonly content: readonly { image: string }[] } }];
  };
  readonly usage: object;
}

const refusal = (status: number, words: string) => ({ status, text: expect.stringContaining(words) });

describe('images of the native interface', () => {
  it('have the requested number and size, can be fetched and are billed each', async () => {
    const { status, text: completion } = await post(body('qwen-image-2.0', [text], { n: 2, size: '1024*512' }));
    expect(status).toBe(200);
    const { output, usage } = JSON.parse(completion) as Completion;
    expect(usage).toEqual({ image_count: 2, width: 1024, height: 512 });
    for (const { image: url } of output.choices[0].message.content) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('image/png');
      const size = readImageSize(Buffer.from(await response.arrayBuffer()));
      expect(size).toEqual({ format: 'png', width: 1024, height: 512 });
    }
    expect((await lastLine())?.billed?.units).toEqual({ image: 2 });
  });

  it('default to the shape of the last image, also of a generated one', async () => {
    const first = JSON.parse((await post(body('qwen-image-max', [text], { size: '1664*928' }))).text) as Completion;
    const own = { image: first.output.choices[0].message.content[0]?.image };
    const { usage } = JSON.parse((await post(body('qwen-image-edit-plus', [image, own, text]))).text) as {
      usage: { width: number; height: number };
    };
    expect(usage.width / usage.height).toBeCloseTo(1664 / 928, 1);
  });

  it.each<[what: string, wrong: unknown, words: string, status?: number]>([
    ['no JSON', '{', 'InvalidParameter'],
    ['no messages', { model: 'qwen-image-2.0', messages: [] }, 'Field required: input.messages'],
    ['no model', { input: {} }, 'Field required: model'],
    ['another model', body('qwen-image-9', [text]), 'ModelNotFound', 404],
    ['no image to edit', body('qwen-image-edit', [text]), 'lack of image or text'],
    ['no text', body('qwen-image-edit', [image]), 'lack of image or text'],
    ['four images', body('qwen-image-edit', [image, image, image, image, text]), 'content length only support 4'],
    ['an image for a model of text', body('qwen-image-max', [image, text]), 'content length only support 1'],
    ['two images', body('qwen-image-max', [text], { n: 2 }), 'num_images_per_prompt must be 1.'],
    ['seven images', body('qwen-image-2.0', [text], { n: 7 }), 'Range of n should be [1, 6]'],
    ['a keyword', body('qwen-image-2.0', [text], { size: '2K' }), "Expected format: '<width>*<height>'"],
    ['a small size', body('qwen-image-max', [text], { size: '511*1024' }), 'between 512 and 2048'],
    ['a size where none is', body('qwen-image-edit', [image, text], { size: '1024*1024' }), 'size is not supported'],
    ['a seed', body('qwen-image-2.0', [text], { seed: -1 }), 'Range of seed'],
    [
      'an unreachable host',
      body('qwen-image-edit', [{ image: 'https://x.invalid/1.png' }, text]),
      'download image failed',
    ],
    ['no image', body('qwen-image-edit', [{ image: 'data:image/png;base64,AAAA' }, text]), 'InvalidImage.FileFormat'],
    ['a blocked text', body('qwen-image-2.0', [{ text: '{{sim blocked}}' }]), 'DataInspectionFailed'],
  ])('refuses %s in the native format', async (_what, wrong, words, status = 400) => {
    const completion = await post(wrong);
    expect(completion).toMatchObject({ status, text: expect.stringContaining(words) });
    expect(Object.keys(JSON.parse(completion.text) as object)).toEqual(['request_id', 'code', 'message']);
  });

  it('refuses credentials and the asynchronous header in the native format', async () => {
    const good = body('qwen-image-2.0', [text]);
    expect(await post(good, 'bad')).toMatchObject(refusal(401, 'InvalidApiKey'));
    expect(await post(good, 'arrears')).toMatchObject(refusal(400, 'Arrearage'));
    expect(await post(good, 'k', { 'x-dashscope-async': 'enable' })).toMatchObject(
      refusal(403, 'does not support asynchronous calls'),
    );
    expect(await post(body('qwen-image-2.0', [{ text: '{{sim status=429}}' }]))).toMatchObject(
      refusal(429, 'Throttling.RateQuota'),
    );
  });
});
