import { describe, expect, it } from '@jest/globals';
import { readImageSize } from '../../media/image-size.js';
import { ImageClient } from '../../test-support/image-client.js';

const { post, lastLine } = await ImageClient.start('/xai/v1/images/generations');
const body = (more: object) => ({ model: 'grok-imagine-image-2.0', prompt: 'a kite', ...more });

describe('xAI images', () => {
  it('are priced by tier, in ticks', async () => {
    const references = [{ url: 'https://a.example/1.png' }];
    const { data, usage } = JSON.parse(
      (await post(body({ n: 2, resolution: '2k', quality: 'low', aspect_ratio: '2:1', images: references }))).text,
    ) as { data: readonly { url: string }[]; usage: object };
    expect(usage).toEqual({ cost_in_usd_ticks: (2 * 6 + 1) * 100_000_000 });
    const image = Buffer.from(await (await fetch(data[1]?.url ?? '')).arrayBuffer());
    expect(readImageSize(image)).toEqual({ format: 'jpeg', width: 2896, height: 1456 });
    expect((await lastLine())?.billed?.units).toEqual({ image_2k_low: 2, input_image: 1 });
  });

  it('prices the input images of older models too', async () => {
    const older = body({ model: 'grok-imagine-image', image: { url: 'https://a.example/1.png' } });
    const { usage } = JSON.parse((await post(older)).text) as { usage: object };
    expect(usage).toEqual({ cost_in_usd_ticks: 220_000_000 });
    expect((await lastLine())?.billed?.units).toEqual({ image: 1, input_image: 1 });
  });

  it.each([
    ['a size', { size: '1024x1024' }, 400, 'Argument not supported: size'],
    ['a quality it lacks', { model: 'grok-imagine-image', quality: 'low' }, 400, 'Argument not supported: quality'],
    ['a resolution', { resolution: '3k' }, 422, 'resolution: unknown variant `3k`'],
    ['a ratio', { aspect_ratio: '21:9' }, 422, 'aspect_ratio'],
    ['no prompt', { prompt: '' }, 422, 'missing field `prompt`'],
    ['eleven images', { n: 11 }, 400, 'n must be between 1 and 10'],
    ['a reference without an address', { image: {} }, 422, 'missing field `url`'],
    ['an unreachable host', { image: { url: 'https://x.invalid/1.png' } }, 400, 'Failed to fetch'],
    ['another model', { model: 'grok-9' }, 404, 'does not exist'],
    ['a blocked prompt', { prompt: '{{sim blocked}}' }, 400, 'content moderation'],
  ])('refuses %s', async (_what, wrong, status, words) => {
    expect(await post(body(wrong))).toMatchObject({ status, text: expect.stringContaining(words) });
  });

  it('refuses credentials with 400 and 403', async () => {
    expect((await post(body({}), 'bad')).status).toBe(400);
    expect((await post(body({}), 'broke')).status).toBe(403);
  });
});
