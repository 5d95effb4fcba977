import { describe, expect, it } from '@jest/globals';
import { countTests, formatFailures, nameFailures } from './jest-result.mjs';

const passed = { status: 'passed', fullName: 'adds', failureMessages: [] };
const failed = { status: 'failed', fullName: 'subtracts', failureMessages: ['expected 1, received 2'] };

const result = {
  numPassedTests: 3,
  numFailedTests: 1,
  testResults: [
    { name: '/project/a.spec.ts', status: 'passed', message: '', assertionResults: [passed] },
    { name: '/project/b.spec.ts', status: 'failed', message: 'long', assertionResults: [passed, failed] },
    { name: '/project/c.spec.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    { name: '/project/d.spec.ts', status: 'failed', message: 'afterAll threw', assertionResults: [passed] },
  ],
};

describe('the result of a jest run', () => {
  it('counts a suite that cannot run, or fails outside its tests, as one failure', () => {
    expect(countTests(result)).toEqual({ passed: 3, failed: 3 });
  });

  it('shows each failure once by file and test, and no passed test', () => {
    const text = formatFailures(result, '/project').join('\n');
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      'b.spec.ts',
      '  ✗ subtracts',
      'expected 1, received 2',
      'c.spec.ts',
      'Cannot find module',
      'd.spec.ts',
      'afterAll threw',
    ]);
  });

  it('names each failure in one line', () => {
    expect(nameFailures(result, '/project')).toEqual([
      'b.spec.ts: subtracts: expected 1, received 2',
      'c.spec.ts: Cannot find module',
      'd.spec.ts: afterAll threw',
    ]);
  });
});
