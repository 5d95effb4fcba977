import { NO_USAGE, type Usage } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { classifyInterruption } from './classify-interruption.js';

const SOME: Usage = { units: { input_token: 10, output_token: 3 }, inputTokensTotal: 10, isEstimated: true };
const INPUT_ONLY: Usage = { units: { input_token: 10 }, inputTokensTotal: 10, isEstimated: true };

const reader = (usage: Usage, isFinal = false) => ({ isFinal, usage: () => usage });

describe('classifyInterruption', () => {
  it('charges nothing if the upstream had not responded', () => {
    expect(classifyInterruption({ reader: undefined, isStarted: false, isAborted: false })).toEqual({
      outcome: 'failed',
      settledAs: 'failed',
      usage: NO_USAGE,
    });
    expect(classifyInterruption({ reader: undefined, isStarted: false, isAborted: true })).toMatchObject({
      settledAs: 'aborted',
      usage: NO_USAGE,
    });
  });

  it('charges nothing for a failure before the first byte or without output', () => {
    expect(classifyInterruption({ reader: reader(SOME), isStarted: false, isAborted: false }).usage).toBe(NO_USAGE);
    expect(classifyInterruption({ reader: reader(INPUT_ONLY), isStarted: true, isAborted: false })).toMatchObject({
      settledAs: 'failed',
      usage: NO_USAGE,
    });
  });

  it('charges what was used after output, or if the client left', () => {
    expect(classifyInterruption({ reader: reader(SOME), isStarted: true, isAborted: false })).toEqual({
      outcome: 'interrupted',
      settledAs: 'interrupted',
      usage: SOME,
    });
    expect(classifyInterruption({ reader: reader(INPUT_ONLY), isStarted: false, isAborted: true })).toMatchObject({
      settledAs: 'aborted',
      usage: INPUT_ONLY,
    });
  });

  it('settles as completed if the upstream had sent its own end', () => {
    expect(classifyInterruption({ reader: reader(SOME, true), isStarted: true, isAborted: true })).toEqual({
      outcome: 'aborted',
      settledAs: 'completed',
      usage: SOME,
    });
  });
});
