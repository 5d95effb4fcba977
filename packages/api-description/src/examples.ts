import type { DocumentSetup } from './document-setup.js';
import type { RecordedAnswer, RecordedAnswers } from './recorded-answer.js';
import type { RequestExample, RouteDescription } from './route-description.js';

export interface Examples {
  readonly requests: ReadonlyMap<string, RequestExample>;
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
}

export function examplesOf({ id, examples = {} }: RouteDescription, recorded: RecordedAnswers): Examples {
  const requests = new Map(Object.entries(examples));
  const answers = new Map(
    [...requests.keys()].flatMap((name) => {
      const answer = recorded[`${id}/${name}`];
      return answer === undefined ? [] : [[name, answer] as const];
    }),
  );
  return { requests, answers };
}

/** A code as mails have it: a body that is shown has the form of its schema. */
const SHOWN_CODE = `mail_${'a'.repeat(26)}.${'A'.repeat(43)}`;
const shownBody = (body: NonNullable<RequestExample['body']>): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll('{mailCode}', SHOWN_CODE));

/** A file, such as `@image.png`, which only a form has. */
const hasFile = (body: NonNullable<RequestExample['body']>): boolean =>
  Object.values(body).some((value) => typeof value === 'string' && value.startsWith('@'));

export const bodyExamples = ({ requests }: Examples, mediaType: string) => {
  const named = [...requests].flatMap(([name, { body, isWrong }]) =>
    body === undefined || isWrong === true || (mediaType === 'application/json' && hasFile(body))
      ? []
      : [[name, { value: shownBody(body) }]],
  );
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
};

export const answerExamples = ({ answers }: Examples, status: string, mediaType: string) => {
  const named = [...answers].flatMap(([name, answer]) =>
    String(answer.status) === status && answer.contentType === mediaType && answer.body !== null
      ? [[name, { value: answer.body }]]
      : [],
  );
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
};

/**
 * Routes without an example. A WebSocket has none: its client and the gateway talk in messages, which no recorded answer
 * shows.
 */
export const withoutExample = ({ routes }: DocumentSetup): readonly string[] =>
  routes
    .filter(({ description: { examples = {}, answers } }) => Object.keys(examples).length === 0 && !('101' in answers))
    .map(({ description: { id } }) => id);

/** Examples without a recorded answer, and recorded answers without an example: `files.get/one`. */
export function unrecordedExamples({ routes, recorded }: DocumentSetup): readonly string[] {
  const examples = routes.flatMap(({ description: { id, examples: own = {} } }) =>
    Object.keys(own).map((name) => `${id}/${name}`),
  );
  const known = new Set(examples);
  return [
    ...examples.filter((name) => recorded[name] === undefined),
    ...Object.keys(recorded).filter((name) => !known.has(name)),
  ];
}
