import { NO_USAGE, type Usage } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { classifyInterruption, type Interruption } from './classify-interruption.js';

const SOME: Usage = { units: { input_token: 10, output_token: 3 }, inputTokensTotal: 10, isEstimated: true };
const INPUT_ONLY: Usage = { units: { input_token: 10 }, inputTokensTotal: 10, isEstimated: true };

const reader = (usage: Usage, isFinal = false) => ({ isFinal, usage: () => usage });

const classify = (interruption: Omit<Interruption, 'abandonedInput'>) =>
  classifyInterruption({ ...interruption, abandonedInput: undefined });

describe('classifyInterruption', () => {
  it('charges nothing if the upstream had not responded', () => {
    expect(classify({ reader: undefined, isStarted: false, isAborted: false })).toEqual({
      outcome: 'failed',
      settledAs: 'failed',
      usage: NO_USAGE,
    });
    expect(classify({ reader: undefined, isStarted: false, isAborted: true })).toMatchObject({
      settledAs: 'aborted',
      usage: NO_USAGE,
    });
  });

  it('charges nothing for a failure before the first byte or without output', () => {
    expect(classify({ reader: reader(SOME), isStarted: false, isAborted: false }).usage).toBe(NO_USAGE);
    expect(classify({ reader: reader(INPUT_ONLY), isStarted: true, isAborted: false })).toMatchObject({
      settledAs: 'failed',
      usage: NO_USAGE,
    });
  });

  it('charges what was used after output, or if the client left', () => {
    expect(classify({ reader: reader(SOME), isStarted: true, isAborted: false })).toEqual({
      outcome: 'interrupted',
      settledAs: 'interrupted',
      usage: SOME,
    });
    expect(classify({ reader: reader(INPUT_ONLY), isStarted: false, isAborted: true })).toMatchObject({
      settledAs: 'aborted',
      usage: INPUT_ONLY,
    });
  });

  it('charges a failure that the upstream bills, also before the first byte', () => {
    const billed = { ...reader(INPUT_ONLY), isBilledFailure: true };
    expect(classify({ reader: billed, isStarted: false, isAborted: false })).toEqual({
      outcome: 'interrupted',
      settledAs: 'interrupted',
      usage: INPUT_ONLY,
    });
  });

  it('settles as completed if the upstream had sent its own end', () => {
    expect(classify({ reader: reader(SOME, true), isStarted: true, isAborted: true })).toEqual({
      outcome: 'aborted',
      settledAs: 'completed',
      usage: SOME,
    });
  });

  it('charges at least the held prompt if the gateway gives up a response whose client has left', () => {
    const held: Usage = { units: { input_token: 100 }, inputTokensTotal: 100, isEstimated: true };
    const given = { isStarted: true, isAborted: false, abandonedInput: held };
    expect(classifyInterruption({ ...given, reader: undefined })).toEqual({
      outcome: 'aborted',
      settledAs: 'aborted',
      usage: held,
    });
    expect(classifyInterruption({ ...given, reader: reader(SOME) }).usage.units).toEqual({
      input_token: 100,
      output_token: 3,
    });
    const counted = { ...SOME, isPromptCounted: true } as const;
    expect(classifyInterruption({ ...given, reader: reader(counted) }).usage).toBe(counted);
    expect(classifyInterruption({ ...given, reader: reader(SOME, true) }).settledAs).toBe('completed');
  });
});
