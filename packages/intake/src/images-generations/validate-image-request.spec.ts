import { findModel, withCapability } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ValidImageRequest } from './valid-image-request.js';
import { validateImageRequest } from './validate-image-request.js';

type Fields = Readonly<Record<string, unknown>>;

function read(id: string, body: Fields): ValidImageRequest {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return validateImageRequest(
    { model: id, ...body },
    model.id,
    withCapability(model, 'imageGeneration').imageGeneration,
  );
}

function refusal(id: string, body: Fields): { code: string; param: string | undefined; message: string } {
  try {
    read(id, body);
  } catch (error) {
    if (isGatewayError(error)) return { code: error.code, param: error.details.param, message: error.message };
    throw error;
  }
  throw new Error(`nothing was refused: ${JSON.stringify(body)}`);
}

/** Sets a field by its path, such as `a.b`. */
function withField(body: Fields, path: string, value: unknown): Fields {
  const [first = '', ...others] = path.split('.');
  const inside = (body[first] ?? {}) as Fields;
  return { ...body, [first]: others.length === 0 ? value : withField(inside, others.join('.'), value) };
}

type Row = readonly [path: string, legal: readonly unknown[], illegal: readonly unknown[]];

const base64 = Buffer.from('image').toString('base64');
const imageBlock = { type: 'image', mime_type: 'image/png', data: base64 };
const text = { text: 'a poster' };
const image = { image: 'https://cdn.example.com/1.png' };
const qwenBody = (...content: unknown[]): Fields => ({ input: { messages: [{ role: 'user', content }] } });
const messages = (...content: unknown[]) => [{ role: 'user', content }];

const QWEN: readonly Row[] = [
  [
    'parameters.size',
    ['1024*1024', '1664*928', '1472*1140', '1328*1328', '1140*1472', '928*1664', '1280*720', '720*1280'],
    ['1472*1104', '1024x1024', '2048*2048', 'auto', '', 5, null],
  ],
  ['parameters.n', [1], [0, 2, 1.5, '1', null]],
  ['parameters.seed', [0, 2_147_483_647], [-1, 2_147_483_648, 1.5, '1']],
  ['parameters.watermark', [true, false], ['true', 1]],
  ['parameters.negative_prompt', ['', 'blur'], [5]],
  ['parameters.prompt_extend', [true, false], ['no']],
  ['parameters', [{}, undefined], ['x', [], null]],
  [
    'input.messages',
    [messages(text)],
    [[], 'x', [...messages(text), ...messages(text)], [{ role: 'system', content: [text] }]],
  ],
];

const INTERACTION: readonly Row[] = [
  [
    'input',
    ['a cat', [{ type: 'text', text: 'a cat' }], [imageBlock], new Array(14).fill(imageBlock)],
    ['', [], 5, [{ type: 'video' }], [{ type: 'text' }], new Array(15).fill(imageBlock)],
  ],
  ['system_instruction', ['be brief'], [5]],
  ['response_format', [{ type: 'image' }], ['image', { type: 'text' }, {}]],
  ['response_format.mime_type', ['image/jpeg', 'image/png'], ['jpeg', 5]],
  ['response_format.image_size', ['512px', '1K', '2K', '4K'], ['512', '1k', '8K', 1]],
  ['response_format.aspect_ratio', ['1:1', '4:5', '1:8', '8:1', '1:4', '4:1'], ['21:9', '1:2', 1]],
  ['generation_config.thinking_level', ['minimal', 'high'], ['low', 'medium', '']],
  ['generation_config.temperature', [0, 2], [-0.01, 2.01, '1']],
  ['previous_interaction_id', ['v1_x'], ['', 5]],
  ['tools', [[], [{ type: 'google_search' }]], ['google_search', [5]]],
  ['store', [true, false], ['true', 1]],
  ['stream', [false], [true]],
  ['background', [false], [true]],
];

const OPENAI: readonly Row[] = [
  ['prompt', ['x', 'x'.repeat(32_000)], ['', 'x'.repeat(32_001), 5, undefined]],
  ['n', [1, 10, null], [0, 11, 1.5, '1']],
  ['quality', ['auto', 'low', 'medium', 'high'], ['hd', 'standard', 1]],
  ['background', ['auto', 'transparent', 'opaque'], ['white']],
  ['output_format', ['png', 'jpeg', 'webp'], ['gif', 'jpg']],
  ['output_compression', [100], [-1, 101, 1.5, 99]],
  ['moderation', ['auto', 'low'], ['none']],
  ['stream', [true, false], ['true']],
  ['partial_images', [0, 3], [-1, 4]],
  ['user', ['u-1'], [5]],
  ['safety_identifier', ['h-1', null], [5]],
  ['response_format', ['b64_json', null], ['url', 5]],
];
const FIXED_SIZES = ['auto', '1024x1024', '1536x1024', '1024x1536'];

const SEEDREAM: readonly Row[] = [
  ['prompt', ['x'], ['', 5, undefined]],
  [
    'image',
    ['https://a.example/1.png', 'data:image/png;base64,AAAA', new Array(14).fill('https://a.example/1.png')],
    ['ftp://x', [], new Array(15).fill('https://a.example/1.png'), 5],
  ],
  [
    'size',
    ['2K', '4K', '2048x2048', '4096x4096', '8192x512', 'auto'],
    ['1K', '3K', '4097x4096', '8193x512', '2048*2048', 1],
  ],
  ['n', [1, 2, 10, null], [11, 0]],
  ['sequential_image_generation', ['disabled', 'auto'], ['on']],
  ['sequential_image_generation_options.max_images', [1, 15], [0, 16, 1.5]],
  ['stream', [true, false], ['true']],
  ['response_format', ['url', 'b64_json'], ['png']],
  ['watermark', [true, false], ['no']],
  ['quality', [null, 'auto', 'standard'], ['high', 'best']],
  ['tools', [null], [[{ type: 'web_search' }]]],
];

const GROK: readonly Row[] = [
  ['prompt', ['x'], ['', 5]],
  ['n', [1, 10], [0, 11]],
  ['aspect_ratio', ['auto', '1:1', '19.5:9', '20:9'], ['21:9', 1]],
  ['resolution', ['1k', '1.5k', '2k'], ['3k', '1K']],
  ['quality', ['low', 'medium', 'auto', 'standard'], ['high']],
  ['response_format', ['url', 'b64_json'], ['png']],
  ['image', [{ url: 'https://a.example/1.png', type: 'image_url' }], ['https://a.example/1.png', { url: 'x' }]],
  [
    'images',
    [new Array(3).fill({ url: 'https://a.example/1.png' })],
    [[], new Array(4).fill({ url: 'https://a.example/1.png' })],
  ],
  ['size', [null, '1024x1024', 'auto'], ['1k', '1024*1024', 1]],
];

const TABLES: readonly (readonly [model: string, body: Fields, rows: readonly Row[]])[] = [
  ['qn-image-2.0', qwenBody(text), QWEN],
  ['qn-image-edit-plus', qwenBody(image, text), QWEN.slice(0, -1)],
  ['gm-3.1-flash-image-preview', { input: 'a cat', response_format: { type: 'image' } }, INTERACTION],
  [
    'gp-image-2',
    { prompt: 'a cat' },
    [
      ...OPENAI,
      [
        'size',
        [...FIXED_SIZES, '16x16', '3840x1280', '3840x3840', '1280x3840', '1536x864'],
        ['3856x1920', '3840x1264', '1000x1000', '0x0', '16*16', '2K', 5],
      ],
    ],
  ],
  ['gp-image-1', { prompt: 'a cat' }, [...OPENAI, ['size', FIXED_SIZES, ['512x512', '2048x2048', '1792x1024']]]],
  ['gp-image-1.5', { prompt: 'a cat' }, [...OPENAI, ['size', FIXED_SIZES, ['2048x2048']]]],
  ['seedream-4.5', { prompt: 'a cat' }, SEEDREAM],
  ['grok-imagine-image-2.0', { prompt: 'a cat' }, GROK],
];

describe.each(TABLES)('%s', (model, body, rows) => {
  it.each(rows)('%s: accepts the legal extremes, and names the field one step beyond', (path, legal, illegal) => {
    for (const value of legal) {
      const { units } = read(model, withField(body, path, value)).worstCase;
      expect(Object.values(units).some((count) => count > 0)).toBe(true);
    }
    for (const value of illegal) {
      const { param, message } = refusal(model, withField(body, path, value));
      expect({ value, param }).toEqual({ value, param: expect.stringMatching(`^${path.replaceAll('.', '\\.')}`) });
      expect(message).toContain(path.split('.').at(-1));
    }
  });
});

it.each(['qn-image-2.0', 'gm-3-pro-image-preview', 'seedream-4.5', 'grok-imagine-image'])(
  "leaves out OpenAI's name of a user by %s, and reports it",
  (id) => {
    expect(read(id, { prompt: 'x', safety_identifier: 'h-1' }).changes?.dropped).toEqual(['safety_identifier']);
  },
);

describe('the Qwen-style family', () => {
  it.each([
    [
      'qn-image-2.0',
      [[text], [image, text], [image, image, image, text]],
      [[image], [], [image, image, image, image, text]],
    ],
    ['qn-image-max', [[text], [text, text]], [[image, text]]],
    [
      'qn-image-edit',
      [
        [image, text],
        [image, image, image, text],
      ],
      [[text], [image], [image, image, image, image, text]],
    ],
    ['qn-image-edit-max', [[image, text]], [[text]]],
  ])('%s accepts its number of image blocks', (model, legal, illegal) => {
    for (const content of legal) expect(read(model, qwenBody(...content)).worstCase.units).toEqual({ image: 1 });
    for (const content of illegal) expect(refusal(model, qwenBody(...content)).param).toBe('input.messages[0].content');
  });

  it.each([
    [{ text: 'x', image: 'https://a.example/1.png' }],
    [{}],
    [{ text: '' }],
    [{ image: 'http://a.example/1.png' }],
    [{ image: 'data:text/plain;base64,AAAA' }],
    [{ text: 5 }],
  ])('rejects the block %j and names its place', (block) => {
    expect(refusal('qn-image-edit', qwenBody(image, text, block)).param).toMatch(/^input\.messages\[0\]\.content\[2\]/);
  });

  it('names the missing field', () => {
    expect(refusal('qn-image-2.0', { messages: [] }).param).toBe('input');
    expect(refusal('qn-image-2.0', { input: {} }).param).toBe('input.messages');
  });
});

describe('the interaction family', () => {
  it.each([
    ['gm-3.1-flash-image-preview', ['512px', '1K', '2K', '4K'], []],
    ['gm-3-pro-image-preview', ['1K', '2K', '4K'], ['512px']],
    ['gm-2.5-flash-image', ['1K'], ['512px', '2K', '4K']],
    ['gm-2.5-flash-image-preview', ['1K'], ['512px', '2K', '4K']],
  ])('%s accepts its sizes', (model, legal, illegal) => {
    const sized = (image_size: string) => ({ input: 'x', response_format: { type: 'image', image_size } });
    for (const size of legal) expect(read(model, sized(size)).worstCase.units.output_image_token).toBeGreaterThan(500);
    for (const size of illegal) expect(refusal(model, sized(size)).param).toBe('response_format.image_size');
  });

  it('accepts extra ratios and thinking levels only for models that support them', () => {
    for (const [model, hasRatios, hasLevels] of [
      ['gm-3.1-flash-image-preview', true, true],
      ['gm-3-pro-image-preview', false, true],
      ['gm-2.5-flash-image', false, false],
    ] as const) {
      const ratio = { input: 'x', response_format: { type: 'image', aspect_ratio: '1:8' } };
      const level = { input: 'x', generation_config: { thinking_level: 'minimal' } };
      if (hasRatios) expect(read(model, ratio)).toBeDefined();
      else expect(refusal(model, ratio).param).toBe('response_format.aspect_ratio');
      if (hasLevels) expect(read(model, level)).toBeDefined();
      else expect(refusal(model, level).param).toBe('generation_config.thinking_level');
    }
  });

  it('rejects a data URI where base64 is expected', () => {
    const block = { ...imageBlock, data: `data:image/png;base64,${base64}` };
    expect(refusal('gm-3-pro-image-preview', { input: [block] }).param).toBe('input[0].data');
  });
});

describe('the worst case', () => {
  it('counts all images at their highest price', () => {
    const gp = (body: object) => read('gp-image-1', { prompt: 'x', ...body }).worstCase.units.output_image_token;
    expect(gp({ n: 3, quality: 'low', size: '1024x1024' })).toBe(3 * 272);
    expect(gp({})).toBe(6_240);
    expect(gp({ n: 2, quality: 'medium', size: '1024x1536', stream: true, partial_images: 3 })).toBe(2 * (1_584 + 300));
    expect(
      read('gp-image-2', { prompt: 'x', size: '3840x2160', quality: 'low' }).worstCase.units.output_image_token,
    ).toBe(1_583);
  });

  it('counts all images that a sequence may have, less its references', () => {
    const units = (body: object) => read('seedream-4.0', { prompt: 'x', ...body }).worstCase.units;
    const image = new Array(4).fill('https://a.example/1.png');
    expect(units({})).toEqual({ image: 1 });
    expect(units({ sequential_image_generation: 'auto' })).toEqual({ image: 15 });
    expect(units({ sequential_image_generation: 'auto', image })).toEqual({ image: 11 });
    const options = { sequential_image_generation_options: { max_images: 11 } };
    expect(units({ sequential_image_generation: 'auto', image, ...options })).toEqual({ image: 11 });
    const beyond = { sequential_image_generation_options: { max_images: 12 } };
    expect(refusal('seedream-4.0', { prompt: 'x', sequential_image_generation: 'auto', image, ...beyond }).param).toBe(
      'sequential_image_generation_options.max_images',
    );
  });

  it('counts the tier of a Grok-type image, and its references', () => {
    const units = (id: string, body: object) => read(id, { prompt: 'x', ...body }).worstCase.units;
    const images = [{ url: 'https://a.example/1.png' }, { url: 'https://a.example/2.png' }];
    expect(units('grok-imagine-image', { n: 4, images })).toEqual({ image: 4, input_image: 2 });
    expect(units('grok-imagine-image-2.0', {})).toEqual({ image_1k_medium: 1 });
    expect(units('grok-imagine-image-2.0', { n: 3, resolution: '1.5k', quality: 'low', images })).toEqual({
      image_1_5k_low: 3,
      input_image: 2,
    });
    expect(refusal('grok-imagine-image', { prompt: 'x', resolution: '1.5k' }).param).toBe('resolution');
    expect(refusal('grok-imagine-image', { prompt: 'x', quality: 'low' }).param).toBe('quality');
    expect(refusal('grok-imagine-image', { prompt: 'x', image: images[0], images }).param).toBe('images');
  });

  it('distinguishes a stream from a whole response', () => {
    expect(read('gp-image-2', { prompt: 'x', stream: true }).isStream).toBe(true);
    expect(read('seedream-4.5', { prompt: 'x', stream: true }).isStream).toBe(true);
    expect(read('gp-image-2', { prompt: 'x' }).isStream).toBe(false);
  });

  it('rejects a transparent JPEG, and a compressed PNG', () => {
    expect(refusal('gp-image-2', { prompt: 'x', background: 'transparent', output_format: 'jpeg' }).param).toBe(
      'background',
    );
    expect(refusal('gp-image-2', { prompt: 'x', output_compression: 50 }).param).toBe('output_compression');
    expect(read('gp-image-2', { prompt: 'x', output_compression: 0, output_format: 'webp' })).toBeDefined();
  });
});
