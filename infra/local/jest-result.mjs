import { tail } from './run-command.mjs';

const SUITE_LINES = 100;
const TEST_LINES = 60;

const isFailed = ({ status }) => status === 'failed';

const isBrokenSuite = (suite) => isFailed(suite) && !suite.assertionResults.some(isFailed);

/** Returns `{ passed, failed }` from jest's JSON. A suite that cannot run counts as one failure; jest counts none. */
export const countTests = (result) => ({
  passed: result.numPassedTests,
  failed: result.numFailedTests + result.testResults.filter(isBrokenSuite).length,
});

const formatFailure = ({ fullName, failureMessages }) =>
  `  ✗ ${fullName}\n${tail(failureMessages.join('\n'), TEST_LINES)}`;

/** Formats the failures of a run, suite by suite. */
export function formatFailures(result, root) {
  return result.testResults
    .filter(isFailed)
    .flatMap((suite) => [
      `\n${suite.name.replace(`${root}/`, '')}`,
      ...(isBrokenSuite(suite) ? [tail(suite.message, SUITE_LINES)] : []),
      ...suite.assertionResults.filter(isFailed).map(formatFailure),
    ]);
}

const firstLine = (text) => text.trimStart().split('\n', 1)[0];

/** Names each failure in one line: its file, its test, and the first line of its message. */
export function nameFailures(result, root) {
  return result.testResults.filter(isFailed).flatMap((suite) => {
    const file = suite.name.replace(`${root}/`, '');
    if (isBrokenSuite(suite)) return [`${file}: ${firstLine(suite.message)}`];
    return suite.assertionResults
      .filter(isFailed)
      .map(({ fullName, failureMessages }) => `${file}: ${fullName}: ${firstLine(failureMessages[0] ?? '')}`);
  });
}
