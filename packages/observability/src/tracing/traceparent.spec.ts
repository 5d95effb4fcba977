import { describe, expect, it } from '@jest/globals';
import { continueTrace, newTrace, parseTraceparent } from './traceparent.js';

const HEADER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('traceparent', () => {
  it('parses a valid header', () => {
    expect(parseTraceparent(HEADER)).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentId: '00f067aa0ba902b7',
      isSampled: true,
      traceparent: HEADER,
    });
  });

  it('reads the sampled flag, whatever the other flags', () => {
    const flagged = (flags: string) => parseTraceparent(HEADER.replace(/01$/, flags))?.isSampled;
    expect(['00', '01', '02', '03'].map(flagged)).toEqual([false, true, false, true]);
  });

  it('reads the shared fields of a newer version', () => {
    expect(parseTraceparent(`cc${HEADER.slice(2)}-more`)?.traceparent).toBe(HEADER);
  });

  it.each([
    undefined,
    '',
    `ff${HEADER.slice(2)}`,
    `${HEADER}-more`,
    HEADER.toUpperCase(),
    HEADER.replace(/[1-9a-f]/g, '0'),
    HEADER.slice(0, -1),
    `cc${HEADER.slice(2)}-${'x'.repeat(300)}`,
  ])('rejects %s', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it('parses its own headers', () => {
    const trace = newTrace();
    expect(parseTraceparent(trace.traceparent)).toEqual(trace);
  });

  it('continues the same trace with a hop of its own', () => {
    const next = continueTrace(HEADER);
    expect(next.traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(next.parentId).not.toBe('00f067aa0ba902b7');
    expect(continueTrace('garbage').traceId).not.toBe(next.traceId);
  });
});
