import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { codeSamples } from './code-samples.js';
import { contentOf, isSchema, JSON_TYPE, media } from './contents.js';
import type { DocumentSetup } from './document-setup.js';
import { STYLE_A } from './error-answers.js';
import { errorName, statusesOfErrors } from './error-responses.js';
import { answerExamples, bodyExamples, type Examples, examplesOf } from './examples.js';
import { headersOf } from './headers.js';
import type { Answer, DescribedRoute, RouteDescription } from './route-description.js';

const answerOf = (status: string, given: z.ZodType | Answer): Answer =>
  isSchema(given) ? { description: STATUS_WORDS[status] ?? 'The answer', content: { [JSON_TYPE]: given } } : given;

const STATUS_WORDS: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted' };

/** `/account/keys/:id` → `/account/keys/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/\/:([A-Za-z]+)/g, '/{$1}');

const pathParameters = (template: string, given: z.ZodObject | undefined): z.ZodObject => {
  const names = [...template.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, given?.shape[name] ?? z.string()])));
};

function responsesOf(route: DescribedRoute, { common }: DocumentSetup, examples: Examples) {
  const { answers, errors = [], dialects = STYLE_A, passesErrors } = route.description;
  const successes = Object.entries(answers).map(([status, given]) => {
    const { description, content, headers = [] } = answerOf(status, given);
    return [
      status,
      {
        description,
        headers: headersOf([...common.headers, ...headers]),
        ...(content !== undefined && {
          content: media(content, dialects, (type) => answerExamples(examples, status, type)),
        }),
      },
    ] as const;
  });
  const all = route.security.length === 0 ? common.errors.filter((code) => code !== 'invalid_api_key') : common.errors;
  const statuses = [...statusesOfErrors([...all, ...errors], dialects), ...(passesErrors === true ? ['4XX'] : [])];
  const failures = statuses.map((status) => [
    status,
    { $ref: `#/components/responses/${errorName(status, dialects)}` },
  ]);
  return Object.fromEntries([...successes, ...failures]);
}

function requestBodyOf({ body }: RouteDescription, examples: Examples) {
  if (body === undefined) return {};
  const required = isSchema(body) || body.required !== false;
  return {
    requestBody: { required, content: media(contentOf(body), STYLE_A, (type) => bodyExamples(examples, type)) },
  };
}

/** The media type of the first successful answer. */
function answerType({ answers }: RouteDescription): string | undefined {
  const [given] = Object.values(answers);
  if (given === undefined) return undefined;
  return isSchema(given) ? JSON_TYPE : Object.keys(given.content ?? {})[0];
}

const FORM_TYPE = 'multipart/form-data';
const hasForm = ({ body }: RouteDescription): boolean =>
  body !== undefined && !isSchema(body) && body.content[FORM_TYPE] !== undefined;

const textTypeOf = ({ body }: RouteDescription): string | undefined =>
  body === undefined || isSchema(body) ? undefined : Object.keys(body.content).find((type) => type.startsWith('text/'));

function samplesOf(route: DescribedRoute, examples: Examples, { recorded, variables }: DocumentSetup) {
  const { method, path, description, security } = route;
  // A socket: none of the programs speaks its protocol.
  if (Object.keys(description.answers).some((status) => status === '101')) return {};
  const shown = {
    method,
    path: templateOf(path),
    security,
    hasBody: description.body !== undefined,
    isForm: hasForm(description),
    textType: textTypeOf(description),
    mediaType: answerType(description),
  };
  const samples = codeSamples(shown, examples.requests, {
    recorded: (name) => recorded[`${description.id}/${name}`],
    variables,
  });
  return samples.length === 0 ? {} : { 'x-codeSamples': samples };
}

/** A reader must know which role a call needs before it is refused. */
function describedBy({ description: { description }, leastRole }: DescribedRoute) {
  const role = leastRole === undefined ? undefined : `Members need the role \`${leastRole}\`, or one that includes it.`;
  const text = [description, role].filter((part) => part !== undefined).join('\n\n');
  return { ...(text !== '' && { description: text }), ...(leastRole !== undefined && { 'x-least-role': leastRole }) };
}

function operationOf(route: DescribedRoute, setup: DocumentSetup): ZodOpenApiOperationObject {
  const { description } = route;
  const { id, summary, query, headers = [] } = description;
  const examples = examplesOf(description, setup.recorded);
  return {
    operationId: id,
    tags: [id.split('.')[0] ?? id],
    summary,
    ...describedBy(route),
    security: route.security.map((scheme) => ({ [scheme]: [] })),
    requestParams: {
      path: pathParameters(templateOf(route.path), description.path),
      ...(query !== undefined && { query }),
    },
    ...(headers.length > 0 && { parameters: headers.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    ...(examples.requests.size > 0 && { 'x-requests': Object.fromEntries(examples.requests) }),
    ...samplesOf(route, examples, setup),
    ...requestBodyOf(description, examples),
    responses: responsesOf(route, setup, examples),
  } as ZodOpenApiOperationObject;
}

export function pathsOf(setup: DocumentSetup): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of setup.routes) {
    const template = templateOf(route.path);
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(route, setup) };
  }
  return paths;
}
