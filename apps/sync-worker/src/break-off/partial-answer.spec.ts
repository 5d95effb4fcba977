import { NO_USAGE, type Usage } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { partialAnswer } from './partial-answer.js';

const SOME: Usage = { units: { input_token: 10, output_token: 3 }, inputTokensTotal: 10, isEstimated: true };
const INPUT_ONLY: Usage = { units: { input_token: 10 }, inputTokensTotal: 10, isEstimated: true };

const reader = (usage: Usage, isFinal = false) => ({ isFinal, usage: () => usage });

describe('an answer that broke off', () => {
  it('costs nothing if the upstream had not answered, whoever broke it off', () => {
    expect(partialAnswer({ reader: undefined, isBegun: false, isAborted: false })).toEqual({
      outcome: 'failed',
      settledAs: 'failed',
      usage: NO_USAGE,
    });
    expect(partialAnswer({ reader: undefined, isBegun: false, isAborted: true })).toMatchObject({
      settledAs: 'aborted',
      usage: NO_USAGE,
    });
  });

  it('costs nothing if it failed before its first byte, or without any output', () => {
    expect(partialAnswer({ reader: reader(SOME), isBegun: false, isAborted: false }).usage).toBe(NO_USAGE);
    expect(partialAnswer({ reader: reader(INPUT_ONLY), isBegun: true, isAborted: false })).toMatchObject({
      settledAs: 'failed',
      usage: NO_USAGE,
    });
  });

  it('costs what was used once it gave output, or if its client left', () => {
    expect(partialAnswer({ reader: reader(SOME), isBegun: true, isAborted: false })).toEqual({
      outcome: 'interrupted',
      settledAs: 'interrupted',
      usage: SOME,
    });
    expect(partialAnswer({ reader: reader(INPUT_ONLY), isBegun: false, isAborted: true })).toMatchObject({
      settledAs: 'aborted',
      usage: INPUT_ONLY,
    });
  });

  it('is settled as whole if the upstream had said its last word', () => {
    expect(partialAnswer({ reader: reader(SOME, true), isBegun: true, isAborted: true })).toEqual({
      outcome: 'aborted',
      settledAs: 'completed',
      usage: SOME,
    });
  });
});
