import { describe, expect, it } from '@jest/globals';
import { VendorFaults } from './vendor-faults.js';

describe('VendorFaults', () => {
  it('hits exactly the share of calls that was ordered, of that vendor only', () => {
    const faults = new VendorFaults();
    faults.set({ vendor: 'openai', status: 500, rate: 0.3 });
    const hits = Array.from({ length: 100 }, () => faults.strike('openai')).filter(Boolean);
    expect(hits).toHaveLength(30);
    expect(faults.strike('gemini')).toBeUndefined();
  });

  it('forgets a vendor or all of them', () => {
    const faults = new VendorFaults();
    faults.set({ vendor: 'openai', drop: true, rate: 1 });
    faults.set({ vendor: 'gemini', status: 503, rate: 1 });
    faults.clear('openai');
    expect(faults.strike('openai')).toBeUndefined();
    expect(faults.strike('gemini')?.status).toBe(503);
    faults.clear();
    expect(faults.list()).toEqual([]);
  });
});
