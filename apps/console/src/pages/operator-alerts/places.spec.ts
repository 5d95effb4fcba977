import { describe, expect, it } from '@jest/globals';
import { placeOf } from './places.js';

describe('placeOf', () => {
  it.each([
    ['ChannelPaused', { channel: 'voyage-one', state: 'paused' }, '/operator/channels', { open: 'voyage-one' }],
    ['VendorUnhealthy', { vendor: 'openai' }, '/operator/channels', { vendor: 'openai' }],
    ['VideoTasksStuck', { vendor: 'ark' }, '/operator/tasks', { problem: 'stuck' }],
    ['OrphanHolds', {}, '/operator/proof', { open: 'orphan_holds' }],
  ] as const)('leads from %s to where one acts', (name, labels, to, search) => {
    expect(placeOf({ name, labels: { ...labels } })).toEqual({ to, search });
  });

  it('is nowhere for an alert that has no page', () => {
    expect(placeOf({ name: 'EventLoopLag', labels: { service: 'billing' } })).toBeUndefined();
  });
});
