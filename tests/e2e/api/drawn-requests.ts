import fc from 'fast-check';
import { SchemaArbitraries } from './arbitrary-of-schema.js';
import type { OpenApi, Operation } from './document.js';

export interface DrawnRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly body: string | undefined;
}

/** They have no end by themselves, or they end what the other requests need: a session, a key, an account. */
const EXCLUDED =
  /^(?:.*\.(?:events|stream|socket|logout|remove|leave|close|end|revoke)|account\.(?:login|register|changePassword)|keys\.(?:delete|rotate)|accounts\.(?:change|credit|reverse)|(?:people|sessions|members|organisations|invitations|impersonations?|administrators)\..*)$/i;

/** Real names, so that many requests get beyond the model. */
const KNOWN = {
  model: [
    'gm-2.5-flash',
    'cl-sonnet-4-6',
    'gp-5.4-mini',
    'text-embedding-v4',
    'vg-4',
    'vg-rerank-2.5',
    'qn3-tts-flash',
    'qn-image-2.0',
    'gp-image-1',
    'gm-2.5-flash-image',
    'seedream-4.5',
    'wn2.7-t2v',
    'no-such-model',
  ],
  // An address that nothing listens on.
  url: ['https://example.com/hook'],
  webhook_url: ['https://example.com/hook'],
};

const word = fc.oneof(
  fc.constantFrom(
    'gm-2.5-flash',
    'no-such-id',
    'req_aaaaaaaaaaaaaaaaaaaaaaaaaa',
    '%00',
    '..',
    'ä',
    '%zz',
    'x'.repeat(300),
  ),
  fc.string({ maxLength: 12 }),
);

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: unknown;
}

const parametersOf = ({ paths }: OpenApi, { path, method }: Operation): readonly Parameter[] =>
  ((paths[path]?.[method.toLowerCase()] as { parameters?: readonly Parameter[] } | undefined)?.parameters ?? []).filter(
    (parameter) => parameter.in === 'query',
  );

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Requests of one operation: each by its schemas, some of them wrong. */
function drawOf(document: OpenApi, operation: Operation, { count, seed }: Draw): readonly DrawnRequest[] {
  const arbitraries = new SchemaArbitraries(document.components.schemas, KNOWN);
  const names = [...operation.path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = '']) => name);
  const query = fc.record(
    Object.fromEntries(parametersOf(document, operation).map(({ name, schema }) => [name, arbitraries.of(schema)])),
    { requiredKeys: [] },
  );
  const request = fc.record({
    segments: fc.tuple(...names.map(() => word)),
    query,
    body: operation.bodySchema === undefined ? fc.constant(undefined) : arbitraries.of(operation.bodySchema),
  });
  return fc.sample(request, { numRuns: count, seed }).map((drawn) => {
    const path = names.reduce(
      (text, name, index) =>
        text.replace(`{${name}}`, () => encodeURIComponent((drawn.segments[index] ?? 'x').toWellFormed())),
      operation.path,
    );
    const fields = Object.entries(drawn.query).map(([name, value]) => [name, textOf(value)?.toWellFormed() ?? '']);
    const search = new URLSearchParams(fields as [string, string][]).toString();
    const body = drawn.body === undefined ? undefined : JSON.stringify(drawn.body);
    return { operation, path: search === '' ? path : `${path}?${search}`, body };
  });
}

interface Draw {
  readonly count: number;
  readonly seed: number;
}

/** Whether its requests would end what others need, or have no end themselves. */
export const isExcluded = ({ id }: Operation): boolean => EXCLUDED.test(id);

/** So many requests of each operation. The same seed draws the same requests. */
export const drawEach = (document: OpenApi, operations: readonly Operation[], draw: Draw): readonly DrawnRequest[] =>
  operations
    .filter(({ bodyType }) => bodyType !== 'multipart/form-data')
    .flatMap((operation) => drawOf(document, operation, draw));

/** About `count` requests over all operations of a document, interleaved. The same seed draws the same requests. */
export function drawRequests(document: OpenApi, operations: readonly Operation[], draw: Draw): readonly DrawnRequest[] {
  const drawn = operations.filter(
    (operation) => !isExcluded(operation) && operation.bodyType !== 'multipart/form-data',
  );
  const each = Math.ceil(draw.count / drawn.length);
  const columns = drawn.map((operation) => drawOf(document, operation, { count: each, seed: draw.seed }));
  return Array.from({ length: each }, (_, index) => columns.flatMap((column) => column[index] ?? [])).flat();
}
