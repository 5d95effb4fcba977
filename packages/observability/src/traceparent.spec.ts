import { describe, expect, it } from '@jest/globals';
import { continueTrace, newTrace, parseTraceparent } from './traceparent.js';

const HEADER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('traceparent', () => {
  it('is read as the standard writes it', () => {
    expect(parseTraceparent(HEADER)).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentId: '00f067aa0ba902b7',
      isSampled: true,
      traceparent: HEADER,
    });
  });

  it('tells whether the caller samples, whatever its other flags', () => {
    const flagged = (flags: string) => parseTraceparent(HEADER.replace(/01$/, flags))?.isSampled;
    expect(['00', '01', '02', '03'].map(flagged)).toEqual([false, true, false, true]);
  });

  it('of a newer version is read in the part that every version has', () => {
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
  ])('is not %s', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });

  it('made here can be read', () => {
    const trace = newTrace();
    expect(parseTraceparent(trace.traceparent)).toEqual(trace);
  });

  it('goes on with the same trace and a hop of its own', () => {
    const next = continueTrace(HEADER);
    expect(next.traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(next.parentId).not.toBe('00f067aa0ba902b7');
    expect(continueTrace('garbage').traceId).not.toBe(next.traceId);
  });
});
