import { tail } from './run-command.mjs';

const SUITE_LINES = 100;
const TEST_LINES = 60;

const isFailed = ({ status }) => status === 'failed';

const couldNotRun = (suite) => isFailed(suite) && !suite.assertionResults.some(isFailed);

/**
 * `{ passed, failed }` of jest's JSON. A suite that could not run counts as a failure, though jest counts no test of
 * it.
 */
export const countOf = (result) => ({
  passed: result.numPassedTests,
  failed: result.numFailedTests + result.testResults.filter(couldNotRun).length,
});

const failureOf = ({ fullName, failureMessages }) => `  ✗ ${fullName}\n${tail(failureMessages.join('\n'), TEST_LINES)}`;

/** The failures of a run for a person, suite by suite. */
export function failuresOf(result, root) {
  return result.testResults
    .filter(isFailed)
    .flatMap((suite) => [
      `\n${suite.name.replace(`${root}/`, '')}`,
      ...(couldNotRun(suite) ? [tail(suite.message, SUITE_LINES)] : []),
      ...suite.assertionResults.filter(isFailed).map(failureOf),
    ]);
}
