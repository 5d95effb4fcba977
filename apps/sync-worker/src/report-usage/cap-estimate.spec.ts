import type { SyncTicket, Usage } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { capEstimate } from './cap-estimate.js';

const ticketOf = (holdNanoUsd: string): SyncTicket =>
  ({
    holdNanoUsd,
    price: { version: '2026-01-01', perMillion: { input_token: '1', output_token: '4' } },
  }) as unknown as SyncTicket;

// Ten tokens of the prompt cost 10,000 nano-USD, and a hundred of the output 400,000.
const usage: Usage = { units: { input_token: 10, output_token: 100 }, inputTokensTotal: 10, isEstimated: true };

describe('capEstimate', () => {
  it('leaves an estimate that the hold covers', () => {
    expect(capEstimate(ticketOf('410000'), usage)).toBe(usage);
  });

  it('ends the output where the hold ends', () => {
    expect(capEstimate(ticketOf('210000'), usage).units).toEqual({ input_token: 10, output_token: 50 });
    expect(capEstimate(ticketOf('213999'), usage).units).toEqual({ input_token: 10, output_token: 50 });
    expect(capEstimate(ticketOf('5000'), usage).units).toEqual({ input_token: 10, output_token: 0 });
  });

  it.each<[string, Usage]>([
    ['counts', { ...usage, isEstimated: false }],
    ['a counted prompt', { ...usage, isPromptCounted: true }],
  ])('leaves %s of the upstream', (_what, counted) => {
    expect(capEstimate(ticketOf('1'), counted)).toBe(counted);
  });
});
