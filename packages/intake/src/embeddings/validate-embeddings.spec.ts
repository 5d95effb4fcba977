import { findModel, withCapability } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { renameDimensions, validateEmbeddings, worstCaseOfEmbeddings } from './validate-embeddings.js';

function validate(fields: object, id = 'text-embedding-v4') {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return validateEmbeddings({ model: id, input: 'Hello', ...fields }, withCapability(model, 'embeddings'));
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

describe('validateEmbeddings', () => {
  it.each([
    ['input', ['x', ['x'], Array(2_048).fill('x')], ['', [], Array(2_049).fill('x'), null, 5, {}]],
    ['encoding_format', ['float', 'base64', null], ['hex', 1]],
    ['dimensions', [64, 2_048, null], [0, 1.5, 65, 4_096, '256']],
    ['user', ['ada', null], [5]],
  ])('%s: accepts the legal extremes, and names the field one step beyond', (field, legal, illegal) => {
    for (const value of legal) expect(validate({ [field]: value })).toMatchObject({ model: 'text-embedding-v4' });
    for (const value of illegal) {
      const { param, message } = refusal({ [field]: value });
      expect(param).toBe(field);
      expect(message).toContain(`'${field}'`);
    }
  });

  it('names the invalid text among many', () => {
    expect(refusal({ input: ['a', ''] })).toEqual({
      param: 'input[1]',
      message: "'input[1]': expected text, got an empty string",
    });
    expect(refusal({ input: ['a', 5] })).toEqual({ param: 'input[1]', message: "'input[1]': expected text" });
  });

  it('names the dimensions that the model supports', () => {
    expect(refusal({ dimensions: 1_000 }, 'vg-4').message).toContain('256, 512, 1024, 2048');
    expect(refusal({ dimensions: 3_073 }, 'gm-embedding-001').message).toContain('128 to 3072');
    expect(validate({ dimensions: 3_072 }, 'gm-embedding-001')).toBeDefined();
    expect(refusal({ dimensions: 769 }, 'text-embedding-004').message).toContain('128 to 768');
  });

  it("takes Voyage's name of the dimensions, and names it in an error", () => {
    expect(renameDimensions(validate({ output_dimension: 512 }, 'vg-4'))).toEqual({
      model: 'vg-4',
      input: 'Hello',
      dimensions: 512,
    });
    expect(renameDimensions(validate({ dimensions: 512, output_dimension: null }, 'vg-4'))).toBeUndefined();
    expect(validate({ dimensions: 512, output_dimension: 512 }, 'vg-4')).toBeDefined();
    expect(refusal({ output_dimension: 100 }, 'vg-4').param).toBe('output_dimension');
    expect(refusal({ dimensions: 256, output_dimension: 512 }, 'vg-4')).toEqual({
      param: 'output_dimension',
      message: "'output_dimension': expected the same number as 'dimensions', or only one.",
    });
  });

  it("passes a vendor's own fields on", () => {
    expect(validate({ input_type: 'query' }, 'vg-4')).toMatchObject({ input_type: 'query' });
  });
});

describe('worstCaseOfEmbeddings', () => {
  it('counts more tokens than the neutral estimate', () => {
    const input = ['x'.repeat(4_000), '漢'.repeat(1_000)];
    expect(worstCaseOfEmbeddings(validate({ input })).units.input_token).toBeGreaterThanOrEqual(7_000 / 4);
  });
});
