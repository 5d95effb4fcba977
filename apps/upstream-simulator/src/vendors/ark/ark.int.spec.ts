import { describe, expect, it } from '@jest/globals';
import { readImageSize } from '../../media/image-size.js';
import { ImageClient } from '../../test-support/image-client.js';

const { post, lastLine } = await ImageClient.start('/ark/api/v3/images/generations');
const body = (more: object) => ({ model: 'seedream-4-5-251128', prompt: 'a kite', ...more });
const sequence = (max_images: number) => ({
  sequential_image_generation: 'auto',
  sequential_image_generation_options: { max_images },
});

const refusal = (status: number, words: string) => ({ status, text: expect.stringContaining(words) });

describe('Ark images', () => {
  it('come as a sequence, billed by successful image', async () => {
    const prompt = '{{sim failed_images=2}} seasons';
    const { data, usage } = JSON.parse((await post(body({ prompt, size: '1024x2048', ...sequence(5) }))).text) as {
      data: readonly { url?: string; error?: object }[];
      usage: object;
    };
    expect(data.map(({ error }) => error !== undefined)).toEqual([true, true, false, false, false]);
    expect(usage).toEqual({ generated_images: 3, output_tokens: 24_576, total_tokens: 24_576 });
    const image = Buffer.from(await (await fetch(data[4]?.url ?? '')).arrayBuffer());
    expect(readImageSize(image)).toEqual({ format: 'jpeg', width: 1024, height: 2048 });
    expect((await lastLine())?.billed?.units).toEqual({ image: 3 });
  });

  it('read names without regard to case, and bill what these ask for', async () => {
    const searching = { model: 'seedream-5-0-260128', Tools: [{ Type: 'web_search' }] };
    const { usage } = JSON.parse((await post(body({ ...searching, Size: '2K' }))).text) as { usage: object };
    expect(usage).toMatchObject({ generated_images: 1, tool_usage: { web_search: 1 } });
    expect((await lastLine())?.billed?.units).toEqual({ image: 1, web_search: 1 });
    const folded = { Sequential_Image_Generation: 'auto', SEQUENTIAL_IMAGE_GENERATION_OPTIONS: { Max_Images: 2 } };
    const { data } = JSON.parse((await post(body(folded))).text) as { data: object[] };
    expect(data).toHaveLength(2);
  });

  it('are streamed one at a time', async () => {
    const { text } = await post(body({ stream: true, response_format: 'b64_json', ...sequence(2) }));
    expect([...text.matchAll(/^event: image_generation\.(.*)$/gm)].map(([, name]) => name)).toEqual([
      'partial_succeeded',
      'partial_succeeded',
      'completed',
    ]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it.each([
    ['no prompt', { prompt: '' }, 400, 'MissingParameter'],
    ['a seed', { seed: 1 }, 400, 'is not supported by the current model'],
    ['a search', { Tools: [{ type: 'web_search' }] }, 400, '`tools`'],
    ['a keyword of another model', { size: '1K' }, 400, '`size`'],
    ['a large size', { size: '4097x4096' }, 400, '`size`'],
    ['fifteen references', { image: new Array(15).fill('https://a.example/1.png') }, 400, '`image`'],
    ['an unreachable host', { image: 'https://x.invalid/1.png' }, 400, 'InvalidImageURL'],
    ['more than fit', { image: 'https://a.example/1.png', ...sequence(15) }, 400, 'max_images'],
    ['a blocked prompt', { prompt: '{{sim blocked}}' }, 400, 'InputTextSensitiveContentDetected'],
    ['another model', { model: 'seedream-9' }, 404, 'InvalidEndpointOrModel.NotFound'],
  ])('refuses %s', async (_what, wrong, status, words) => {
    const completion = await post(body(wrong));
    expect(completion).toMatchObject({ status, text: expect.stringContaining(words) });
    expect(completion.text).toContain('Request id: ');
  });

  it('refuses credentials', async () => {
    expect(await post(body({}), 'bad')).toMatchObject(refusal(401, 'AuthenticationError'));
    expect(await post(body({}), 'broke')).toMatchObject(refusal(403, 'AccountOverdueError'));
  });
});
