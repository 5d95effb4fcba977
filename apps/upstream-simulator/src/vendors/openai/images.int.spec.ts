import { describe, expect, it } from '@jest/globals';
import { readImageSize } from '../../media/image-size.js';
import { ImageClient } from '../../test-support/image-client.js';

const { post, lastLine } = await ImageClient.start('/openai/v1/images/generations');
const body = (more: object) => ({ model: 'gpt-image-2', prompt: 'a kite', ...more });
interface Completion {
  readonly data: readonly { readonly b64_json: string }[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

describe('the images endpoint', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('returns %s images, billed like their usage', async (format) => {
    const completion = await post(body({ n: 2, size: '1536x864', quality: 'low', output_format: format }));
    const { data, usage } = JSON.parse(completion.text) as Completion;
    expect(data.map(({ b64_json }) => readImageSize(Buffer.from(b64_json, 'base64')))).toEqual(
      new Array(2).fill({ format, width: 1536, height: 864 }),
    );
    const billed = (await lastLine())?.billed;
    expect(billed).toMatchObject({
      input_tokens: usage.input_tokens,
      units: { output_image_token: usage.output_tokens },
    });
  });

  it('streams partial images', async () => {
    const { text } = await post(body({ stream: true, partial_images: 2 }));
    const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect((await lastLine())?.billed?.units).toEqual({ output_image_token: 1_767 + 200 });
  });

  it('bills an image whole whose client has seen a part of it', async () => {
    const prompt = '{{sim cut_after=1}} a kite';
    await expect(post(body({ stream: true, partial_images: 2, prompt }))).rejects.toThrow();
    expect((await lastLine())?.billed?.units).toEqual({ output_image_token: 1_767 + 100 });
  });

  it.each([
    ['an unknown parameter', { response_format: 'url' }, 'unknown_parameter'],
    ['no prompt', { prompt: '' }, 'missing_required_parameter'],
    ['a long prompt', { prompt: 'x'.repeat(32_001) }, 'string_above_max_length'],
    ['eleven images', { n: 11 }, 'integer_above_max_value'],
    ['no images', { n: 0 }, 'integer_below_min_value'],
    ['a size', { size: '1000x1000' }, 'invalid_value'],
    ['a size of another model', { model: 'gpt-image-1', size: '2048x2048' }, 'invalid_value'],
    ['a quality', { quality: 'hd' }, 'invalid_value'],
    ['a compressed PNG', { output_compression: 50 }, 'PNG'],
    ['a transparent JPEG', { background: 'transparent', output_format: 'jpeg' }, 'JPEG'],
    ['four partial images', { partial_images: 4 }, 'integer_above_max_value'],
    ['a blocked prompt', { prompt: '{{sim blocked}}' }, 'moderation_blocked'],
  ])('refuses %s', async (_what, wrong, words) => {
    expect(await post(body(wrong))).toMatchObject({ status: 400, text: expect.stringContaining(words) });
  });

  it('refuses a retired model', async () => {
    expect(await post(body({ model: 'dall-e-3' }))).toMatchObject({ status: 404 });
  });
});
