import { describe, expect, it } from '@jest/globals';
import { VendorFaults } from './vendor-faults.js';

describe('VendorFaults', () => {
  it('affects exactly the requested share of calls, for that vendor only', () => {
    const faults = new VendorFaults();
    faults.set({ vendor: 'openai', status: 500, rate: 0.3 });
    const hits = Array.from({ length: 100 }, () => faults.strike('openai', 'openai-chat')).filter(Boolean);
    expect(hits).toHaveLength(30);
    expect(faults.strike('gemini', 'gemini')).toBeUndefined();
  });

  it('can affect one protocol only', () => {
    const faults = new VendorFaults();
    faults.set({ vendor: 'dashscope', protocol: 'dashscope-tasks', status: 503, rate: 1 });
    expect(faults.strike('dashscope', 'dashscope-video')).toBeUndefined();
    expect(faults.strike('dashscope', 'dashscope-tasks')?.status).toBe(503);
  });

  it('clears one vendor or all', () => {
    const faults = new VendorFaults();
    faults.set({ vendor: 'openai', drop: true, rate: 1 });
    faults.set({ vendor: 'gemini', status: 503, rate: 1 });
    faults.clear('openai');
    expect(faults.strike('openai', 'openai-chat')).toBeUndefined();
    expect(faults.strike('gemini', 'gemini')?.status).toBe(503);
    faults.clear();
    expect(faults.list()).toEqual([]);
  });
});
