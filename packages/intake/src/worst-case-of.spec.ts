import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { expectedUsage } from './expected-usage.js';
import { formFromJson } from './images-edits/form-from-json.js';
import { worstCaseOf } from './worst-case-of.js';

const model = (id: string) => {
  const found = findModel(id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};

const edit = (more: object) =>
  worstCaseOf('images.edits', { model: 'gp-image-1', prompt: 'x', n: 1, ...more }, model('gp-image-1')).worstCase.units;

describe('worstCaseOf', () => {
  it('throws the 400 that the endpoint itself returns', () => {
    const body = { model: 'gp-5-pro', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] };
    expect(() => worstCaseOf('chat.completions', body, model('gp-5-pro'))).toThrow(/max_completion_tokens/);
  });

  it('counts the seconds of a video, also without its draft', () => {
    const video = (body: object) =>
      worstCaseOf('videos.generations', { model: 'seedance-1.5-pro', ...body }, model('seedance-1.5-pro')).worstCase
        .units;
    expect(video({ input: {} })).toEqual({ second_720p: 5 });
    const content = [{ draft_task: { id: 'cgt-1' } }];
    expect(video({ input: { content }, duration: 8 })).toEqual({ second_720p: 8 });
  });

  it('counts the files of a form that is described in JSON', () => {
    expect(edit({ image: 2 })).toEqual(edit({ image: ['a', 'b'] }));
    expect(edit({ image: 2 })).not.toEqual(edit({}));
    expect(edit({})).toEqual(edit({ image: 1, mask: true }));
    expect(() => edit({ image: 0 })).toThrow(/'image'/);
    expect(() => edit({ image: -1 })).toThrow(/number of reference images/);
  });
});

describe('formFromJson', () => {
  it('names the field that is not text', () => {
    expect(() => formFromJson({ prompt: { text: 'x' } })).toThrow(/'prompt': expected a text or a number/);
    expect(formFromJson({ n: 2, user: null }).fields).toEqual({ n: '2' });
  });
});

describe('expectedUsage', () => {
  const worst = { units: { input_token: 400, output_token: 4_096 }, inputTokensTotal: 400, isEstimated: true };

  it('of text is below the worst case, and never above', () => {
    expect(expectedUsage('chat.completions', worst).units).toEqual({ input_token: 200, output_token: 500 });
    const short = { ...worst, units: { input_token: 1, output_token: 20 } };
    expect(expectedUsage('messages', short).units).toEqual({ input_token: 1, output_token: 20 });
  });

  it('of all other endpoints is the worst case', () => {
    expect(expectedUsage('images.generations', worst)).toBe(worst);
  });
});
