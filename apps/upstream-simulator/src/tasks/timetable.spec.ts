import { describe, expect, it } from '@jest/globals';
import { stateAt, timetableOf } from './timetable.js';

const statesOf = (
  directives: Parameters<typeof timetableOf>[0],
  seconds: readonly number[],
  hasDeferredFailure = false,
) => {
  const timetable = timetableOf(directives, 1_000_000, hasDeferredFailure);
  return seconds.map((second) => stateAt(timetable, 1_000_000 + second * 1_000));
};

describe('a timetable', () => {
  it('takes two seconds by default, the first tenth queued', () => {
    expect(statesOf({}, [0, 0.1, 0.2, 1.9, 2])).toEqual(['queued', 'queued', 'running', 'running', 'succeeded']);
  });

  it('takes the requested time', () => {
    expect(statesOf({ taskSeconds: 0 }, [0])).toEqual(['succeeded']);
    expect(statesOf({ taskSeconds: 40 }, [9, 10, 39, 40])).toEqual(['queued', 'running', 'running', 'succeeded']);
    expect(statesOf({ taskSeconds: 4, queueSeconds: 3 }, [2, 3, 4])).toEqual(['queued', 'running', 'succeeded']);
    expect(statesOf({ queueSeconds: 9 }, [8, 9])).toEqual(['queued', 'succeeded']);
  });

  it('ends with the requested outcome, or never', () => {
    expect(statesOf({ taskFailure: '' }, [2])).toEqual(['failed']);
    expect(statesOf({}, [2], true)).toEqual(['failed']);
    expect(statesOf({ taskTimesOut: true, taskFailure: 'X' }, [2])).toEqual(['expired']);
    expect(statesOf({ taskHangs: true }, [0, 1e9])).toEqual(['queued', 'running']);
  });
});
