import { findModel, MODELS, priceAt, withCapability } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { VideoDraft } from './billed-video.js';
import { draftTaskIdOf, type ValidVideoRequest, validateVideoRequest } from './validate-video-request.js';

type Fields = Readonly<Record<string, unknown>>;

const modelOf = (id: string) => {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return withCapability(model, 'video');
};

const read = (model: string, body: Fields, draft?: VideoDraft): ValidVideoRequest =>
  validateVideoRequest({ model, input: { prompt: 'A boat' }, ...body }, modelOf(model), draft);

function refusal(run: () => unknown): { code: string; param: string | undefined; message: string } {
  try {
    run();
  } catch (error) {
    if (isGatewayError(error)) return { code: error.code, param: error.details.param, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

const paramOf = (model: string, body: Fields): string | undefined => refusal(() => read(model, body)).param;

/** Of each format, a text-to-video model and an image-to-video model. */
const T2V = [
  'wn2.5-t2v-preview',
  'wn2.6-t2v',
  'wn2.7-t2v',
  'wn3.0-video',
  'happyhorse-1.1-t2v',
  'seedance-1.0-pro',
  'grok-imagine-video-1.5',
];

type Row = readonly [field: string, legal: readonly unknown[], illegal: readonly unknown[]];

/** For a model with 2 to 15 seconds at 720p and 1080p. */
const OUTER: readonly Row[] = [
  ['duration', [undefined, null, 2, 15], [1, 16, 0, -1, 5.5, '5', true, {}, Number.MAX_SAFE_INTEGER + 1]],
  ['resolution', [undefined, null, '720p', '1080p', '720P', '1080P'], ['480p', '4k', '720', 720, '', '1280*720', []]],
  ['aspect_ratio', [undefined, null, '16:9', '9:16', '1:1', '4:3', '3:4'], ['21:9', '16x9', '', 1.78, 'adaptive', {}]],
  ['input', [{}, { anything: [1, { deep: null }] }], [undefined, null, 'a prompt', [], 5]],
  ['parameters', [undefined, null, {}, { some_new_field: { a: 1 } }], ['x', [], 5]],
  ['webhook_url', [undefined, null, 'https://a.example/hook', 'x'.repeat(2_048)], [5, {}, 'x'.repeat(2_049)]],
  ['wait', [undefined, null, true, false], ['true', 1, {}]],
  ['wait_timeout', [undefined, null, 1, 300], [0, 301, 1.5, '60']],
];

describe('the fields of the interface', () => {
  it.each(OUTER)('%s: accepts the legal extremes, and names the field one step beyond', (field, legal, illegal) => {
    for (const value of legal) expect(read('wn2.6-t2v', { [field]: value })).toBeDefined();
    for (const value of illegal)
      expect({ value, param: paramOf('wn2.6-t2v', { [field]: value }) }).toEqual({ value, param: field });
  });

  it('rejects unknown fields, which would not reach the upstream', () => {
    expect(refusal(() => read('wn2.7-t2v', { seed: 5 }))).toEqual({
      code: 'unknown_parameter',
      param: 'seed',
      message: expect.stringContaining("'parameters'"),
    });
  });

  it.each([
    ['wn2.5-t2v-preview', [5, 10], [4, 6, 9, 11]],
    ['wn2.6-r2v', [2, 10], [1, 11]],
    ['wn2.7-i2v', [2, 15], [1, 16]],
    ['wn3.0-video', [2, 30], [1, 31]],
    ['happyhorse-1.0-r2v', [3, 15], [2, 16]],
    ['seedance-1.0-pro', [2, 12], [1, 13]],
    ['seedance-1.5-pro', [4, 12], [3, 13]],
    ['seedance-2.0', [4, 15], [3, 16]],
    ['seedance-2.5', [4, 30], [3, 31]],
    ['grok-imagine-video', [1, 15], [0, 16]],
  ])('%s accepts its durations', (model, legal, illegal) => {
    for (const duration of legal) expect(read(model, { duration }).submission.durationSeconds).toBe(duration);
    for (const duration of illegal) expect(paramOf(model, { duration })).toBe('duration');
  });

  it.each([
    ['wn2.5-i2v-preview', ['480p', '720p', '1080p'], ['4k']],
    ['wn2.6-i2v', ['720p', '1080p'], ['480p']],
    ['wn2.7-t2v', ['720p'], ['480p', '1080p']],
    ['wn2.7-i2v', ['720p'], ['480p', '1080p']],
    ['wn2.7-r2v', ['720p'], ['480p', '1080p']],
    ['wn2.7-t2v-2026-04-25', ['720p', '1080p'], ['480p']],
    ['wn2.7-i2v-2026-04-25', ['720p', '1080p'], ['480p']],
    ['wn3.0-video-prime', ['480p', '720p', '1080p'], ['4k']],
    ['happyhorse-1.1-i2v', ['720p', '1080p'], ['480p']],
    ['seedance-2.0', ['480p', '720p', '1080p', '4k', '4K'], ['2k']],
    ['seedance-2.0-fast', ['480p', '720p'], ['1080p']],
    ['grok-imagine-video', ['480p', '720p'], ['1080p']],
    ['grok-imagine-video-1.5', ['480p', '720p', '1080p'], ['4k']],
  ])('%s accepts its resolutions', (model, legal, illegal) => {
    for (const resolution of legal) {
      expect(read(model, { resolution }).submission.resolution).toBe(resolution.toLowerCase());
    }
    for (const resolution of illegal) expect(paramOf(model, { resolution })).toBe('resolution');
  });
});

describe('the defaults in parameters', () => {
  it.each([
    ['wn2.5-t2v-preview', {}, { size: '1280*720', duration: 5 }],
    ['wn2.6-t2v', { aspect_ratio: '9:16', resolution: '1080p', duration: 10 }, { size: '1080*1920', duration: 10 }],
    ['wn2.6-i2v', {}, { resolution: '720P', duration: 5 }],
    ['wn2.6-r2v-flash', { aspect_ratio: '1:1' }, { size: '960*960', duration: 5 }],
    ['wn2.7-t2v', {}, { resolution: '720P', duration: 5, ratio: '16:9' }],
    ['wn2.7-i2v', { aspect_ratio: '9:16' }, { resolution: '720P', duration: 5 }],
    ['wn2.7-r2v', { aspect_ratio: '9:16' }, { resolution: '720P', duration: 5, ratio: '9:16' }],
    ['wn3.0-video', { resolution: '480p' }, { resolution: '480P', duration: 5, ratio: '16:9' }],
    ['wn3.0-video', { input: { media: [{ type: 'first_frame', url: 'u' }] } }, { resolution: '720P', duration: 5 }],
    ['happyhorse-1.1-i2v', {}, { resolution: '720P', duration: 5 }],
    ['happyhorse-1.1-r2v', { aspect_ratio: '4:5' }, { resolution: '720P', duration: 5, ratio: '4:5' }],
    ['seedance-2.0', {}, { resolution: '720p', duration: 5, ratio: '16:9' }],
    ['seedance-2.0', { input: { content: [{ type: 'image_url' }] } }, { resolution: '720p', duration: 5 }],
    [
      'seedance-2.0',
      { aspect_ratio: '9:16', input: { content: [{ type: 'image_url', role: 'first_frame' }] } },
      { resolution: '720p', duration: 5, ratio: '9:16' },
    ],
    [
      'seedance-2.0',
      { input: { content: [{ type: 'image_url', role: 'reference_image' }] } },
      { resolution: '720p', duration: 5, ratio: '16:9' },
    ],
    ['grok-imagine-video', {}, { resolution: '720p', duration: 5, aspect_ratio: '16:9' }],
    ['grok-imagine-video', { input: { image: { url: 'u' } } }, { resolution: '720p', duration: 5 }],
  ])("%s %j: use the family's names of the billed fields", (model, body, written) => {
    const { submission, changes } = read(model, body);
    expect(submission.parameters).toEqual(written);
    const reported = Object.entries(written).map(([name, value]) => [`parameters.${name}`, String(value)]);
    expect(changes).toEqual({ filled: Object.fromEntries(reported), dropped: [] });
  });

  it('fill only what the client left out; all other fields stay unchanged', () => {
    const input = { prompt: 'x', media: [{ type: 'first_frame', url: 'https://a.example' }], odd: [null] };
    const parameters = { duration: 5, resolution: '720P', seed: 7, new_field: { a: [1] } };
    const { submission, changes } = read('wn2.7-i2v', { input, parameters });
    expect(submission).toEqual({
      durationSeconds: 5,
      resolution: '720p',
      aspectRatio: 'adaptive',
      unit: 'second_720p',
      input,
      parameters,
    });
    expect(changes).toEqual({ filled: {}, dropped: [] });
  });

  it('are where the upstream reads them, even if the client sets them elsewhere', () => {
    const elsewhere = { duration: 5, resolution: '720P' };
    expect(read('wn2.7-i2v', { input: elsewhere }).submission.parameters).toEqual({ resolution: '720P', duration: 5 });
    expect(read('grok-imagine-video', { input: { duration: 5, resolution: '720p' } }).changes.filled).toEqual({
      'parameters.aspect_ratio': '16:9',
    });
  });

  it('replace null, which the upstream would read as its own default', () => {
    const nulls = { duration: null, resolution: null, ratio: null };
    expect(read('wn2.7-t2v', { parameters: nulls }).submission.parameters).toEqual({
      duration: 5,
      resolution: '720P',
      ratio: '16:9',
    });
  });

  it('take the ratio from any field of the client, since it has no price', () => {
    expect(read('wn2.6-t2v', { parameters: { size: '720*1280' } }).submission.aspectRatio).toBe('9:16');
    expect(read('wn2.7-t2v', { parameters: { ratio: '1:1' } }).submission.aspectRatio).toBe('1:1');
    expect(paramOf('wn2.7-t2v', { aspect_ratio: '16:9', parameters: { ratio: '1:1' } })).toBe('parameters.ratio');
    expect(paramOf('wn2.6-t2v', { aspect_ratio: '16:9', parameters: { size: '720*1280' } })).toBe('parameters.size');
    expect(paramOf('wn2.7-t2v', { parameters: { ratio: '7:3' } })).toBe('parameters.ratio');
    expect(paramOf('wn2.5-t2v-preview', { resolution: '480p', aspect_ratio: '4:3' })).toBe('aspect_ratio');
  });
});

describe('a longer, larger or second video for the price of one', () => {
  const everywhere: readonly (readonly [string, unknown])[] = [
    ['duration', 15],
    ['duration', -1],
    ['duration', '5'],
    ['duration', [5]],
    ['duration', 5.4],
    ['seconds', 15],
    ['frames', 289],
    ['num_frames', 360],
    ['resolution', '1080P'],
    ['resolution', '1080p'],
    ['resolution', 720],
    ['size', '1920*1080'],
    ['size', '9999*9999'],
    ['size', '1280x720'],
    ['n', 2],
    ['n', '1'],
    ['video_count', 4],
    ['batch_size', 2],
    ['DURATION', 5],
    ['Duration', 15],
    ['Re\u017folution', '1080p'],
    ['re\u017folution', '1080p'],
    ['Size', '1920*1080'],
  ];

  it.each(T2V)('%s rejects it in any field', (model) => {
    for (const [name, value] of everywhere) {
      for (const place of ['parameters', 'input']) {
        const body = { duration: 5, resolution: '720p', [place]: { [name]: value } };
        expect({ name, value, param: paramOf(model, body) }).toEqual({ name, value, param: `${place}.${name}` });
      }
    }
  });

  const places = ['parameters', 'input'] as const;
  const alone = T2V.flatMap((model) => everywhere.flatMap((field) => places.map((place) => ({ model, field, place }))));

  it.each(alone)('without the billed fields, it is refused or billed: %j', ({ model, field: [name, value], place }) => {
    const attempt = () => read(model, { [place]: { [name]: value } });
    let submission: ValidVideoRequest['submission'];
    try {
      ({ submission } = attempt());
    } catch {
      return expect(refusal(attempt).param).toBe(`${place}.${name}`);
    }
    const sent: Fields = { ...submission.input, ...submission.parameters };
    const is1080p = sent.size === '1920*1080' || String(sent.resolution).toLowerCase() === '1080p';
    const resolution = is1080p ? '1080p' : '720p';
    expect(submission).toMatchObject({ durationSeconds: sent.duration, resolution, unit: `second_${resolution}` });
    expect(attempt().worstCase.units).toEqual({ [submission.unit]: sent.duration });
  });

  it('bills what the upstream reads if the client omits the billed fields', () => {
    const billed = (model: string, body: Fields) => {
      const { durationSeconds, resolution } = read(model, body).submission;
      return [durationSeconds, resolution];
    };
    expect(billed('wn3.0-video', { parameters: { duration: 10, resolution: '1080P' } })).toEqual([10, '1080p']);
    expect(billed('wn2.6-t2v', { parameters: { size: '1080*1920' } })).toEqual([5, '1080p']);
    expect(billed('seedance-1.0-pro', { input: { duration: 10 } })).toEqual([10, '720p']);
    expect(paramOf('wn2.7-t2v', { parameters: { duration: 16 } })).toBe('parameters.duration');
    expect(paramOf('wn2.7-t2v', { parameters: { resolution: '4K' } })).toBe('parameters.resolution');
    expect(paramOf('wn2.7-t2v', { duration: 10, parameters: { duration: 5 } })).toBe('parameters.duration');
    expect(paramOf('wn2.7-t2v', { input: { duration: 5 }, parameters: { duration: 10 } })).toBe('input.duration');
  });

  it('names both contradicting fields', () => {
    expect(refusal(() => read('wn2.7-t2v', { duration: 5, parameters: { duration: 15 } }))).toEqual({
      code: 'invalid_request',
      param: 'parameters.duration',
      message: "'parameters.duration': 15 contradicts 'duration', which is 5. Send the same value in both.",
    });
  });

  it('lists the supported sizes, and explains a size of another shape', () => {
    expect(refusal(() => read('wn2.6-t2v', { parameters: { size: '1280x720' } }))).toEqual({
      code: 'unsupported_value',
      param: 'parameters.size',
      message:
        '\'parameters.size\': "1280x720" is not a size of 720p: expected one of 1280*720, 720*1280, 960*960, 1088*832, 832*1088.',
    });
    expect(refusal(() => read('wn2.6-t2v', { aspect_ratio: '16:9', parameters: { size: '720*1280' } }))).toEqual({
      code: 'invalid_request',
      param: 'parameters.size',
      message: `'parameters.size': "720*1280" contradicts 'aspect_ratio', which is "16:9". Send the same value in both.`,
    });
  });

  it('accepts fields that agree', () => {
    const parameters = { duration: 10, resolution: '1080p', n: 1, frames: 240 };
    expect(read('wn2.6-i2v', { duration: 10, resolution: '1080P', parameters })).toBeDefined();
    expect(read('seedance-1.0-pro', { duration: 3, parameters: { frames: 57 } }).submission.parameters).toEqual({
      frames: 57,
      resolution: '720p',
      ratio: '16:9',
    });
  });

  it.each(['seedance-1.5-pro', 'grok-imagine-video'])('%s: rejects a repeated field, even if one is null', (model) => {
    for (const name of ['resolution', 'generate_audio', 'content', 'anything']) {
      const body = { input: { [name]: '720p' }, parameters: { [name]: null } };
      expect(paramOf(model, body)).toBe(`parameters.${name}`);
    }
    expect(paramOf(model, { parameters: { model: 'seedance-2.0' } })).toBe('parameters.model');
    expect(paramOf(model, { input: { Model: 'seedance-2.0' } })).toBe('input.Model');
  });

  it.each([
    'A fox --dur 10',
    'A fox --duration=10',
    'A fox --DUR 10',
    'A fox --dur10',
    'A fox --dur',
    'A fox --dur -1',
    'A fox --dur 5 --dur 12',
    'A fox --rs 1080p',
    'A fox --resolution 1080P',
    'A fox\n--rs:1080p',
    'https://a.example --rs 1080p',
    'A fox --frames 289',
    'A fox --framespersecond 48',
    'A fox --fps 60',
  ])('reads flags in the prompt: %s', (text) => {
    for (const content of [
      [{ type: 'text', text }],
      [{ type: 'text', TEXT: text }],
      [{ type: 'text', text: { deep: [text] } }],
      text,
    ]) {
      expect(paramOf('seedance-1.0-pro', { input: { content } })).toBe('input.content');
      expect(paramOf('seedance-1.0-pro', { parameters: { content } })).toBe('parameters.content');
    }
  });

  it('accepts flags that agree, other words, and URLs', () => {
    const content = [
      { type: 'text', text: 'A fox --rs 720P --rt 16:9 --dur 5 --fps 24 --seed 11 --cf false --durability --wm true' },
      { type: 'image_url', image_url: { url: 'https://a.example/--dur 10' }, role: 'reference_image' },
    ];
    expect(read('seedance-1.0-pro', { input: { content } }).worstCase.units).toEqual({ second_720p: 5 });
    expect(read('wn2.7-t2v', { input: { prompt: 'A fox --dur 10' } })).toBeDefined();
  });

  it('survives nesting deeper than the stack', () => {
    let content: unknown = 'A fox --dur 10';
    for (let depth = 0; depth < 200_000; depth += 1) content = [content];
    expect(paramOf('seedance-1.0-pro', { input: { content } })).toBe('input.content');
  });

  it('rejects fields that the gateway decides or has no price for', () => {
    const seedance = (fields: Fields) => paramOf('seedance-2.0', { parameters: fields });
    expect(seedance({ callback_url: 'https://a.example' })).toBe('parameters.callback_url');
    expect(seedance({ Callback_URL: 'https://a.example' })).toBe('parameters.Callback_URL');
    expect(seedance({ tools: [{ type: 'web_search' }] })).toBe('parameters.tools');
    expect(seedance({ fps: 48 })).toBe('parameters.fps');
    expect(paramOf('grok-imagine-video', { input: { video: { url: 'https://a.example' } } })).toBe('input.video');
  });
});

describe('discounted seconds', () => {
  const unit = (model: string, body: Fields) => Object.keys(read(model, body).worstCase.units)[0];

  it('are silent ones of a flash model, if no audio is set', () => {
    expect(unit('wn2.6-i2v-flash', {})).toBe('second_720p');
    expect(unit('wn2.6-i2v-flash', { parameters: { audio: true } })).toBe('second_720p');
    expect(unit('wn2.6-i2v-flash', { parameters: { audio: null } })).toBe('second_720p');
    expect(unit('wn2.6-i2v-flash', { parameters: { audio: false } })).toBe('second_720p_silent');
    expect(unit('wn2.6-i2v', { parameters: { audio: false } })).toBe('second_720p');
    const withAudio = { input: { audio_url: 'https://a.example/a.mp3' }, parameters: { audio: false } };
    expect(paramOf('wn2.6-i2v-flash', withAudio)).toBe('parameters.audio');
    for (const audio of ['false', 0])
      expect(paramOf('wn2.6-i2v-flash', { parameters: { audio } })).toBe('parameters.audio');
    // The upstream does not read this place.
    expect(paramOf('wn2.6-i2v-flash', { input: { audio: false } })).toBe('input.audio');
    expect(paramOf('wn2.6-i2v-flash', { parameters: { Audio: false } })).toBe('parameters.Audio');
  });

  it('are those of Seedance without audio, in the flex tier, or of a draft', () => {
    const one = (parameters: Fields, resolution = '720p') => unit('seedance-1.5-pro', { resolution, parameters });
    expect(one({})).toBe('second_720p');
    expect(one({ generate_audio: false })).toBe('second_720p_silent');
    expect(one({ service_tier: 'flex' })).toBe('second_720p_flex');
    expect(one({ generate_audio: false, service_tier: 'flex' }, '1080p')).toBe('second_1080p_silent_flex');
    expect(one({ draft: true }, '480p')).toBe('second_480p_draft');
    expect(one({ draft: true, generate_audio: false }, '480p')).toBe('second_480p_silent_draft');
    const refused = (parameters: Fields, model = 'seedance-1.5-pro') => paramOf(model, { parameters });
    expect(refused({ draft: true })).toBe('parameters.draft');
    expect(refused({ draft: 'true' })).toBe('parameters.draft');
    expect(refused({ draft: true, service_tier: 'flex' })).toBe('parameters.service_tier');
    expect(refused({ service_tier: 'cheap' })).toBe('parameters.service_tier');
    expect(refused({ service_tier: ['flex'] })).toBe('parameters.service_tier');
    expect(refused({ service_tier: 'flex' }, 'seedance-2.0')).toBe('parameters.service_tier');
    expect(refused({ draft: true }, 'seedance-2.0')).toBe('parameters.draft');
    expect(unit('seedance-2.0', { parameters: { generate_audio: false } })).toBe('second_720p');
  });
});

describe('the final video of a draft', () => {
  const draft: VideoDraft = { modelId: 'seedance-1.5-pro', durationSeconds: 8, aspectRatio: '9:16', isSilent: true };
  const content = [{ type: 'draft_task', draft_task: { id: 'cgt-1' } }];
  const draftIdIn = (input: Fields) => draftTaskIdOf({ model: 'seedance-1.5-pro', input }, modelOf('seedance-1.5-pro'));

  it('takes duration, ratio and audio from the draft, and does not send them again', () => {
    const { worstCase, submission } = read('seedance-1.5-pro', { input: { content } }, draft);
    expect(worstCase.units).toEqual({ second_720p_silent: 8 });
    expect(submission).toMatchObject({ durationSeconds: 8, aspectRatio: '9:16', parameters: { resolution: '720p' } });
    expect(submission.parameters).toEqual({ resolution: '720p' });
  });

  it('cannot have another duration or model', () => {
    const rejectedParam = (model: string, body: Fields) =>
      refusal(() => read(model, { input: { content }, ...body }, draft)).param;
    expect(rejectedParam('seedance-1.5-pro', { duration: 5 })).toBe('duration');
    expect(rejectedParam('seedance-1.5-pro', { parameters: { duration: 5 } })).toBe('parameters.duration');
    expect(rejectedParam('seedance-2.0', {})).toBe('model');
  });

  it('has one id, in one spelling', () => {
    expect(draftIdIn({ content })).toBe('cgt-1');
    expect(draftIdIn({ content: [{ type: 'text', text: 'x' }] })).toBeUndefined();
    expect(draftIdIn({ content: 'x' })).toBeUndefined();
    for (const odd of [
      [{ DRAFT_TASK: { id: 'cgt-1' } }],
      [{ draft_task: { ID: 'cgt-1', id: 'cgt-2' } }],
      [{ draft_task: { id: 5 } }],
      [{ draft_task: 'cgt-1' }],
      [{ draft_task: null }],
      [...content, ...content],
      [{ draft_task: { id: 'cgt-1' }, Draft_task: { id: 'cgt-2' } }],
    ]) {
      expect(refusal(() => draftIdIn({ content: odd })).param).toBe('input.content');
    }
    expect(draftTaskIdOf({ model: 'wn2.7-t2v', input: { content } }, modelOf('wn2.7-t2v'))).toBeUndefined();
  });
});

/** All ways to request discounted seconds, and the normal one. */
const WAYS: readonly Fields[] = [
  {},
  { audio: false },
  { generate_audio: false },
  { service_tier: 'flex' },
  { draft: true },
  { generate_audio: false, service_tier: 'flex' },
  { generate_audio: false, draft: true },
];

/** The units of everything that a model can be requested for. */
function unitsOf(id: string): readonly string[] {
  const { resolutions, durations } = modelOf(id).video.traits;
  const duration = 'least' in durations ? durations.least : durations[0];
  return resolutions.flatMap((resolution) =>
    WAYS.flatMap((parameters) => {
      try {
        return Object.keys(read(id, { resolution, duration, parameters }).worstCase.units);
      } catch (error) {
        if (isGatewayError(error)) return [];
        throw error;
      }
    }),
  );
}

describe('the worst case of a video', () => {
  const ids = MODELS.filter(({ video }) => video !== undefined).map(({ id }) => id);

  it.each(ids)('%s: every possible unit has a price, and every price can be reached', (id) => {
    const prices = Object.keys(priceAt(modelOf(id), Date.parse('2026-11-21'))?.perMillion ?? {});
    expect([...new Set(unitsOf(id))].sort()).toEqual(prices.sort());
  });
});
