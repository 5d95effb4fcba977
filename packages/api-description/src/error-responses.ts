import { ERRORS, type ErrorCode, type ErrorDialect } from '@gateway/contracts';
import { JSON_TYPE } from './contents.js';
import type { DocumentSetup } from './document-setup.js';
import { errorSchema, errorsByStatus, STYLE_A } from './error-answers.js';
import { headersOf } from './headers.js';

/** One component for the errors of a status in the same styles: every operation has a dozen of them. */
export const errorName = (status: string, dialects: readonly ErrorDialect[]): string =>
  `${status}_${dialects.join('_')}`;

/** The recorded errors of these styles, named by operation and example. */
function errorExamples({ routes, recorded }: DocumentSetup, status: string, dialects: readonly ErrorDialect[]) {
  const named = routes.flatMap(({ description: { id, dialects: own = STYLE_A, examples = {} } }) =>
    own.join() === dialects.join()
      ? Object.keys(examples).flatMap((name) => {
          const answer = recorded[`${id}/${name}`];
          return String(answer?.status) === status ? [[`${id}/${name}`, { value: answer?.body }]] : [];
        })
      : [],
  );
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

function errorResponse(setup: DocumentSetup, status: string, dialects: readonly ErrorDialect[]): object {
  const codes = errorsByStatus(Object.keys(ERRORS) as ErrorCode[], dialects).get(Number(status)) ?? [];
  return {
    description: status === '4XX' ? 'Any other error of the upstream' : codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOf([
      ...setup.common.headers,
      'x-should-retry',
      'retry-after',
      'retry-after-ms',
      'www-authenticate',
    ]),
    content: { [JSON_TYPE]: { schema: errorSchema(dialects), ...errorExamples(setup, status, dialects) } },
  };
}

export const statusesOfErrors = (codes: readonly ErrorCode[], dialects: readonly ErrorDialect[]): readonly string[] =>
  [...errorsByStatus(codes, dialects).keys()].map(String);

/** The errors that the operations refer to. */
export function errorResponses(setup: DocumentSetup): Record<string, object> {
  const all = setup.routes.flatMap(({ description: { dialects = STYLE_A, errors = [], passesErrors } }) =>
    [...statusesOfErrors([...setup.common.errors, ...errors], dialects), ...(passesErrors === true ? ['4XX'] : [])].map(
      (status) => [errorName(status, dialects), errorResponse(setup, status, dialects)] as const,
    ),
  );
  return Object.fromEntries(all);
}
