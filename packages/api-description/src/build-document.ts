import { ERRORS, type ErrorCode, type ErrorDialect } from '@gateway/contracts';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { codeSamples, type SampleVariables } from './code-samples.js';
import { describeFields } from './describe-fields.js';
import { errorNames, errorSchema, errorsByStatus } from './error-answers.js';
import { REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from './headers.js';
import type { RecordedAnswer, RecordedAnswers } from './recorded-answer.js';
import type { Answer, Content, DescribedRoute, RequestExample, RouteDescription } from './route-description.js';

export interface DocumentSetup {
  readonly title: string;
  /** Markdown: the beginning of the reference. */
  readonly description: string;
  readonly version: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes: Readonly<Record<string, object>>;
  readonly routes: readonly DescribedRoute[];
  /** The errors and headers of every route of the address. */
  readonly common: { readonly errors: readonly ErrorCode[]; readonly headers: readonly ResponseHeader[] };
  readonly recorded: RecordedAnswers;
  /** What the programs of the reference read from their environment. */
  readonly variables: SampleVariables;
  readonly webhooks?: Readonly<Record<string, object>>;
}

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, object>>;
};

/** Clients must ignore fields that they do not know, so an answer's schema is open. The contract tests close it. */
const openAnswers: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

const A: readonly ErrorDialect[] = ['a'];

const JSON_TYPE = 'application/json';
const contentOf = (given: z.ZodType | { readonly content: Content }): Content =>
  isSchema(given) ? { [JSON_TYPE]: given } : given.content;

const answerOf = (status: string, given: z.ZodType | Answer): Answer =>
  isSchema(given) ? { description: STATUS_WORDS[status] ?? 'The answer', content: { [JSON_TYPE]: given } } : given;

const STATUS_WORDS: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted' };

const headersOf = (names: readonly ResponseHeader[]) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** `/account/keys/:id` → `/account/keys/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/\/:([A-Za-z]+)/g, '/{$1}');

const pathParameters = (template: string, given: z.ZodObject | undefined): z.ZodObject => {
  const names = [...template.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, given?.shape[name] ?? z.string()])));
};

interface Examples {
  readonly requests: ReadonlyMap<string, RequestExample>;
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
}

function examplesOf({ id, examples = {} }: RouteDescription, recorded: RecordedAnswers): Examples {
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

const bodyExamples = ({ requests }: Examples) => {
  const named = [...requests].flatMap(([name, { body, isWrong }]) =>
    body === undefined || isWrong === true ? [] : [[name, { value: shownBody(body) }]],
  );
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
};

const answerExamples = ({ answers }: Examples, status: string, mediaType: string) => {
  const named = [...answers].flatMap(([name, answer]) =>
    String(answer.status) === status && answer.contentType === mediaType && answer.body !== null
      ? [[name, { value: answer.body }]]
      : [],
  );
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
};

const media = (content: Content, dialects: readonly ErrorDialect[], examplesFor: (mediaType: string) => object) =>
  Object.fromEntries(
    Object.entries(content).map(([type, given]) => [
      type,
      { schema: mediaSchema(type, given, dialects), ...examplesFor(type) },
    ]),
  );

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** OpenAPI 3.1 has no schema of one event, so extensions refer to it, and to the error that may end a stream. */
function mediaSchema(type: string, given: Content[string], dialects: readonly ErrorDialect[]): object {
  if (isSchema(given)) return given;
  const [error, ...others] = errorNames(dialects).map(schemaRef);
  return {
    type: 'string',
    contentMediaType: type,
    description: given.description,
    'x-event-data': schemaRef(eventName(given.events)),
    'x-event-error': others.length === 0 ? error : { anyOf: [error, ...others] },
  };
}

function eventName(events: z.ZodType): string {
  const { id } = events.meta() ?? {};
  if (id === undefined) throw new Error('the schema of an event needs an id in its meta');
  return id;
}

/** The schemas of all events, by their ids. */
function eventSchemas({ routes }: DocumentSetup): Record<string, z.ZodType> {
  const contents = routes.flatMap(({ description: { answers } }) =>
    Object.values(answers).flatMap((given) => (isSchema(given) ? [] : Object.values(given.content ?? {}))),
  );
  const found = contents.flatMap((content) => (isSchema(content) ? [] : [content.events]));
  return Object.fromEntries(found.map((events) => [eventName(events), events]));
}

/** One component for the errors of a status in the same styles: every operation has a dozen of them. */
const errorName = (status: string, dialects: readonly ErrorDialect[]): string => `${status}_${dialects.join('_')}`;

/** The recorded errors of these styles, named by operation and example. */
function errorExamples({ routes, recorded }: DocumentSetup, status: string, dialects: readonly ErrorDialect[]) {
  const named = routes.flatMap(({ description: { id, dialects: own = A, examples = {} } }) =>
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

const statusesOfErrors = (codes: readonly ErrorCode[], dialects: readonly ErrorDialect[]): readonly string[] =>
  [...errorsByStatus(codes, dialects).keys()].map(String);

/** The errors that the operations refer to. */
function errorResponses(setup: DocumentSetup): Record<string, object> {
  const all = setup.routes.flatMap(({ description: { dialects = A, errors = [], passesErrors } }) =>
    [...statusesOfErrors([...setup.common.errors, ...errors], dialects), ...(passesErrors === true ? ['4XX'] : [])].map(
      (status) => [errorName(status, dialects), errorResponse(setup, status, dialects)] as const,
    ),
  );
  return Object.fromEntries(all);
}

function responsesOf(route: DescribedRoute, { common }: DocumentSetup, examples: Examples) {
  const { answers, errors = [], dialects = A, passesErrors } = route.description;
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
  return { requestBody: { required, content: media(contentOf(body), A, () => bodyExamples(examples)) } };
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

function pathsOf(setup: DocumentSetup): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of setup.routes) {
    const template = templateOf(route.path);
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(route, setup) };
  }
  return paths;
}

function schemaOf(schema: z.ZodType): object {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

type Render = (name: string, schema: z.ZodType) => object;

/** Adds the headers and parameters that the operations refer to. */
function withHeaders(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const used = (place: string, table: Readonly<Record<string, z.ZodType>>, render: Render) =>
    Object.fromEntries(
      Object.entries(table)
        .filter(([name]) => text.includes(`#/components/${place}/${name}"`))
        .map(([name, schema]) => [name, render(name, schema)]),
    );
  const headers = used('headers', RESPONSE_HEADERS, (_name, schema) => ({
    description: schema.meta()?.description,
    schema: schemaOf(schema),
  }));
  const parameters = used('parameters', REQUEST_HEADERS, (name, schema) => ({
    in: 'header',
    name,
    required: false,
    schema: schemaOf(schema),
  }));
  return { ...document, components: { ...document.components, headers, parameters } };
}

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

/** `messageBatches` → `Message batches`: what readers see. */
const titleOf = (tag: string): string => {
  const words = tag.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** The document of an address. Throws for two routes with one id. */
export function buildDocument(setup: DocumentSetup): OpenApiDocument {
  const ids = setup.routes.map(({ description }) => description.id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new Error(`two routes are described as ${repeated}`);
  const { title, description, version } = setup;
  const built = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title,
        description,
        version,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/' }],
      tags: setup.tags.map((tag) => ({ ...tag, 'x-displayName': titleOf(tag.name) })),
      paths: pathsOf(setup),
      ...(setup.webhooks !== undefined && { webhooks: { ...setup.webhooks } as ZodOpenApiPathsObject }),
      components: {
        schemas: eventSchemas(setup),
        responses: errorResponses(setup) as never,
        securitySchemes: { ...setup.securitySchemes } as never,
      },
    },
    { override: openAnswers, allowEmptySchema: { custom: true, transform: true } },
  );
  const document = withHeaders(JSON.parse(JSON.stringify(built)) as OpenApiDocument);
  describeFields(document);
  return document;
}
