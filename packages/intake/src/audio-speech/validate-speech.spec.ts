import { findModel, withCapability } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { validateSpeech, worstCaseOfSpeech } from './validate-speech.js';

function validate(fields: object, id = 'qn3-tts-flash') {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return validateSpeech({ model: id, input: 'Hello', ...fields }, withCapability(model, 'speech'));
}

function refusal(fields: object, id?: string): { param: string | undefined; message: string } {
  try {
    validate(fields, id);
  } catch (error) {
    if (isGatewayError(error)) return { param: error.details.param, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('validateSpeech', () => {
  it.each([
    ['input', ['x', 'x'.repeat(4_096), '😀'.repeat(4_096)], ['', ' \n', 'x'.repeat(4_097), null, 5, ['x']]],
    ['voice', ['Cherry', 'alloy', 'custom', null], ['', 5, {}]],
    ['response_format', ['mp3', 'wav', null], ['opus', 'pcm', 1]],
    ['speed', [0.25, 1, 4, null], ['1', {}]],
    ['stream_format', ['audio', null], ['sse']],
  ])('%s: accepts legal values, and names the field for others', (field, legal, illegal) => {
    for (const value of legal) expect(validate({ [field]: value })).toMatchObject({ model: 'qn3-tts-flash' });
    for (const value of illegal) {
      const { param, message } = refusal({ [field]: value });
      expect(param).toBe(field);
      expect(message).toContain(`'${field}'`);
    }
  });

  it('accepts instructions only for models that support them', () => {
    expect(validate({ instructions: 'Slowly.' }, 'qn3-tts-instruct-flash')).toMatchObject({ instructions: 'Slowly.' });
    expect(refusal({ instructions: 'Slowly.' })).toMatchObject({ param: 'instructions' });
    expect(validate({ instructions: null })).toBeDefined();
  });
});

describe('worstCaseOfSpeech', () => {
  it('equals what will be billed', () => {
    expect(worstCaseOfSpeech(validate({ input: 'Hello 世界' })).units).toEqual({ character: 10 });
  });
});
