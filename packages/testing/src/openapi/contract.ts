import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { SchemaValidators } from './schema-validators.js';
import { documentedPath, isUndescribed } from './undescribed-routes.js';

type Json = { [field: string]: unknown };

/** An answer that a test got. */
export interface ObservedAnswer {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Operation {
  readonly call: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly pointer: string;
  readonly responses: Json;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
const escapePointer = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Objects of answers are open for clients. Here a field without a description is a fault. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return isObject(schema.properties) && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

function operationsOf(document: Json): readonly Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Json>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        call: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${escapePattern(path).replaceAll(/\{[A-Za-z]+\}/g, '([^/]+)')}$`),
        pointer: `#/paths/${escapePointer(path)}/${method}`,
        responses: operation.responses as Json,
      })),
    )
    .sort((left, right) => left.call.split('{').length - right.call.split('{').length);
}

export const dataLines = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));

export function decoded(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'gzip') return gunzipSync(body).toString('utf8');
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString('utf8');
}

/** Holds answers against an OpenAPI document. */
export class Contract {
  readonly #operations: readonly Operation[];
  readonly #document: Json;
  readonly #validators: SchemaValidators;

  constructor(document: object) {
    this.#document = closed(document) as Json;
    this.#operations = operationsOf(this.#document);
    this.#validators = new SchemaValidators(this.#document);
  }

  /** What is wrong with an answer, or undefined. A path that the document does not have may only be refused. */
  faultOf({ method, path, status, headers, body }: ObservedAnswer): string | undefined {
    const pathname = documentedPath(path);
    const operation = this.#operations.find((one) => one.method === method && one.pattern.test(pathname));
    if (operation === undefined) {
      const isRefused = status >= 400 && status !== 500;
      return isRefused || isUndescribed(pathname) ? undefined : `${method} ${pathname} returned ${status}: describe it`;
    }
    const found = this.#response(operation, status);
    if (found === undefined) return `${operation.call} returned ${status}, which is not described`;
    const { content } = found.response;
    if (!isObject(content))
      return body.length === 0 ? undefined : `${operation.call} ${status} has an undescribed body`;
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    const media = content[type] ?? content['application/octet-stream'];
    if (!isObject(media)) return `${operation.call} ${status} has the type '${type}', which is not described`;
    const problem = this.#problemOf(
      { type, media, pointer: `${found.pointer}/content/${escapePointer(type)}/schema` },
      () => decoded(body, headers['content-encoding']),
    );
    return problem === undefined ? undefined : `${operation.call} ${status}: ${problem}`;
  }

  #response({ responses, pointer }: Operation, status: number) {
    const name = [String(status), `${String(status)[0]}XX`].find((one) => responses[one] !== undefined);
    if (name === undefined) return undefined;
    const response = responses[name] as Json;
    if (typeof response.$ref !== 'string') return { response, pointer: `${pointer}/responses/${name}` };
    const component = response.$ref.slice('#/components/responses/'.length);
    const components = (this.#document.components as Json).responses as Json;
    return { response: components[component] as Json, pointer: response.$ref };
  }

  #problemOf(found: { type: string; media: Json; pointer: string }, text: () => string): string | undefined {
    const { type, media, pointer } = found;
    if (type === 'application/json') return this.#validators.problemOf(pointer, JSON.parse(text()));
    const events = (media.schema as Json | undefined)?.['x-event-data'];
    if (type !== 'text/event-stream' || !isObject(events)) return undefined;
    for (const data of dataLines(text())) {
      const problem = data.startsWith('{') ? this.#invalidEvent(pointer, JSON.parse(data)) : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A stream that breaks off ends with an error, in the style of the protocol. An event may have such a field too. */
  #invalidEvent(pointer: string, value: unknown): string | undefined {
    const problem = this.#validators.problemOf(`${pointer}/x-event-data`, value);
    if (problem === undefined || !isObject(value) || value.error == null) return problem;
    return this.#validators.problemOf(`${pointer}/x-event-error`, value);
  }
}
