import { describe, expect, it } from '@jest/globals';
import { atLeastInput, inputOf } from './at-least-input.js';
import { NO_USAGE, type Usage } from './usage.js';

const usage = (units: Usage['units'], inputTokensTotal: number, more: Partial<Usage> = {}): Usage => ({
  units,
  inputTokensTotal,
  isEstimated: true,
  ...more,
});
const held = usage({ input_token: 900, input_image_token: 100 }, 1_000);

describe('inputOf', () => {
  it('keeps the units of the prompt, cached or not, and no output', () => {
    const worst = usage({ cache_write_token: 5, input_image_token: 2, output_token: 9, web_search: 3, image: 1 }, 7);
    expect(inputOf(worst)).toEqual(usage({ cache_write_token: 5, input_image_token: 2 }, 7));
  });
});

describe('atLeastInput', () => {
  it('charges the held prompt beside what was metered', () => {
    expect(atLeastInput(NO_USAGE, held)).toEqual(held);
    expect(atLeastInput(usage({ input_token: 3, output_token: 7 }, 3), held)).toEqual(
      usage({ input_token: 900, input_image_token: 100, output_token: 7 }, 1_000),
    );
  });

  it.each([
    ['a larger prompt', usage({ input_token: 2_000 }, 2_000)],
    ['a prompt that the vendor has counted', usage({ input_token: 3, output_token: 7 }, 3, { isPromptCounted: true })],
    ["the vendor's own count", usage({ input_token: 3, output_token: 7 }, 3, { isEstimated: false })],
  ])('keeps %s', (_case, used) => expect(atLeastInput(used, held)).toBe(used));
});
