import { describe, expect, it } from '@jest/globals';
import { readImageSize } from '../../media/image-size.js';
import { ImageClient } from '../../test-support/image-client.js';

const { post, lastLine } = await ImageClient.start('/gemini/v1beta/interactions', (credential) => ({
  'x-goog-api-key': credential,
}));
const body = (more: object) => ({ model: 'gemini-3.1-flash-image', input: 'a kite', ...more });
interface Completion {
  readonly id: string;
  readonly status: string;
  readonly steps: readonly { readonly type: string; readonly content?: readonly { readonly data?: string }[] }[];
  readonly usage: { readonly total_input_tokens: number; readonly total_tokens: number };
}
const call = async (more: object, credential = 'k'): Promise<Completion> =>
  JSON.parse((await post(body(more), credential)).text) as Completion;

describe('an interaction', () => {
  it('returns an image of its size, billed by modality', async () => {
    const format = { type: 'image', image_size: '512', aspect_ratio: '16:9', mime_type: 'image/jpeg' };
    const completion = await call({ response_format: format, generation_config: { thinking_level: 'high' } });
    expect(completion).toMatchObject({ id: expect.stringMatching(/^v1_/), status: 'completed' });
    expect(completion.steps.map(({ type }) => type)).toEqual(['thought', 'model_output']);
    const image = Buffer.from(completion.steps[1]?.content?.[0]?.data ?? '', 'base64');
    expect(readImageSize(image)).toEqual({ format: 'jpeg', width: 688, height: 384 });
    expect((await lastLine())?.billed).toMatchObject({
      input_tokens: 2,
      output_tokens: 107,
      units: { output_image_token: 747 },
    });
  });

  it('continues a stored one with its history billed, for the same credential only', async () => {
    const first = await call({});
    const second = await call({ previous_interaction_id: first.id });
    expect(second.usage.total_input_tokens).toBe(2 + 2 + 1_120);
    const unstored = await call({ store: false });
    for (const [id, credential] of [
      [first.id, 'other'],
      [unstored.id, 'k'],
      ['v1_nothing', 'k'],
    ] as const) {
      expect(await post(body({ previous_interaction_id: id }), credential)).toMatchObject({ status: 404 });
    }
  });

  it('is failed and free if blocked', async () => {
    expect(await call({ input: '{{sim blocked}}' })).toMatchObject({ status: 'failed', steps: [] });
    expect((await lastLine())?.billed).toBeNull();
  });

  it.each([
    ['an unknown field', { systemInstruction: 'x' }],
    ['no input', { input: [] }],
    ['an unknown block', { input: [{ type: 'scent' }] }],
    ['broken image data', { input: [{ type: 'image', mime_type: 'image/png', data: 'AAAA' }] }],
    ["the interface's word for a size", { response_format: { type: 'image', image_size: '512px' } }],
    ['a size of another model', { model: 'gemini-3-pro-image', response_format: { type: 'image', image_size: '512' } }],
    [
      'a ratio of another model',
      { model: 'gemini-3-pro-image', response_format: { type: 'image', aspect_ratio: '1:8' } },
    ],
    ['a level of thinking', { model: 'gemini-2.5-flash-image', generation_config: { thinking_level: 'high' } }],
    ['a temperature', { generation_config: { temperature: 2.1 } }],
    ['a tool without a type', { tools: [{ googleSearch: {} }] }],
  ])('refuses %s', async (_what, wrong) => {
    const { status, text } = await post(body(wrong));
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ error: { message: expect.any(String), code: 'invalid_request' } });
  });

  it('refuses a retired model', async () => {
    expect((await post(body({ model: 'gemini-3-pro-image-preview' }))).status).toBe(404);
  });
});
