import type { ChannelReport, ProcessReport } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { channelsById, channelView, quantileMs } from './channel-view.js';

const channel = (more: Partial<ChannelReport> = {}): ChannelReport => ({
  id: 'openai-1',
  vendor: 'openai',
  isTest: false,
  state: 'active',
  weight: 2,
  configuredWeight: 2,
  inFlight: 1,
  isBroken: false,
  brokenAccounts: 0,
  cooldownMs: 0,
  modelCooldowns: [],
  retryTokens: 10,
  calls: 10,
  errors: {},
  latencies: [0, 0, 8, 0, 0, 2, 0, 0, 0, 0, 0],
  lastError: null,
  ...more,
});

const process = (processId: string, channels: readonly ChannelReport[]): ProcessReport => ({
  processId,
  service: 'sync-worker',
  host: 'h',
  startedAtMs: 0,
  atMs: 1_000,
  channels: [...channels],
  slots: [],
});

const viewOf = (...channels: readonly ChannelReport[]) => {
  const reported = channelsById(channels.map((one, index) => process(`p${index}`, [one])));
  return channelView('openai-1', reported.get('openai-1') ?? [], undefined);
};

describe('a channel over all processes', () => {
  it('adds loads, calls and errors, and takes latencies of all calls', () => {
    const failing = channel({
      errors: { upstream_error: 1 },
      lastError: { code: 'upstream_error', status: 500, atMs: 5 },
    });
    expect(viewOf(failing, channel({ errors: { upstream_error: 1 } }))).toMatchObject({
      vendor: 'openai',
      in_flight: 2,
      calls: 20,
      failed_calls: 2,
      errors: { upstream_error: 2 },
      health: 'healthy',
      latency_ms: { p50: 250, p95: 2_500 },
      last_error: { code: 'upstream_error', status: 500 },
      is_applied: true,
      processes: [{ process_id: 'p0' }, { process_id: 'p1' }],
    });
  });

  it.each([
    ['down', [channel({ isBroken: true }), channel({ cooldownMs: 900 })]],
    ['degraded', [channel({ isBroken: true }), channel()]],
    ['degraded', [channel({ modelCooldowns: [{ model: 'gp', cooldownMs: 1 }] })]],
    ['degraded', [channel({ errors: { upstream_error: 3 } })]],
    ['healthy', [channel({ calls: 2, errors: { upstream_error: 2 } })]],
    ['unknown', []],
  ] as const)('is %s', (health, channels) => {
    expect(viewOf(...channels).health).toBe(health);
  });

  it('says whether every process follows the administrator', () => {
    const control = {
      channelId: 'openai-1',
      state: 'paused',
      weight: null,
      reason: 'r',
      changedBy: 'ann',
      changedAt: new Date(0),
    } as const;
    const follows = channelsById([process('a', [channel({ state: 'paused' })])]).get('openai-1') ?? [];
    expect(channelView('openai-1', follows, control)).toMatchObject({ is_applied: true, state: 'paused', weight: 2 });
    const late = channelsById([process('a', [channel()])]).get('openai-1') ?? [];
    expect(channelView('openai-1', late, control)).toMatchObject({ is_applied: false, change: { by: 'ann' } });
  });

  it('never shows a credential', () => {
    expect(JSON.stringify(viewOf(channel()))).not.toMatch(/credential|key/i);
  });
});

describe('quantileMs', () => {
  it('is the bound that the share of calls stays below', () => {
    expect(quantileMs([1, 0, 1], 0.5)).toBe(50);
    expect(quantileMs([1, 0, 1], 0.95)).toBe(250);
    expect(quantileMs([0, 0, 0], 0.5)).toBeNull();
    expect(quantileMs([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 0.5)).toBeNull();
  });
});
