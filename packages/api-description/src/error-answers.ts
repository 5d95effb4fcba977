import { ERRORS, type ErrorCode, type ErrorDialect } from '@gateway/contracts';
import { z } from 'zod';

const message = z.string().meta({ description: 'For people. It names the field and what was expected.' });
const code = z.string().meta({ description: 'For programs: a code of the table below, or the upstream’s own.' });
const requestId = z.string().meta({ description: 'The id of the request, as in `x-request-id`.' });

const styleA = {
  message,
  type: z.string(),
  param: z.string().nullable().meta({ description: 'The wrong field, such as `messages[0].role`.' }),
  code,
  upstream: z.unknown().optional().meta({ description: 'The upstream’s own error, for its 4xx.' }),
};
const styleB = { code, message, request_id: requestId };

/** The style of a route that names none. */
export const STYLE_A: readonly ErrorDialect[] = ['a'];

const GOOGLE = z
  .object({
    error: z.object({
      code: z.int(),
      message,
      status: z.string(),
      details: z.array(z.looseObject({ '@type': z.string() })),
    }),
  })
  .meta({ id: 'ErrorGoogle', description: 'Google’s native API.' });

/** The shape of an error by style. The names are of the reference; the styles are those of `renderError`. */
const ERROR_SCHEMAS: Readonly<Record<ErrorDialect, z.ZodType>> = {
  a: z
    .object({
      error: z.object(styleA),
      code: code.optional(),
      message: message.optional(),
      request_id: requestId.optional(),
    })
    .meta({ id: 'ErrorA', description: 'Style A: chat completions. A 429 has the fields of style B too.' }),
  b: z
    .object({ ...styleB, error: z.object(styleA) })
    .meta({ id: 'ErrorB', description: 'Style B: images, videos, speech.' }),
  anthropic: z
    .object({
      type: z.literal('error'),
      error: z.object({ type: z.string(), message, details: z.looseObject({}).optional() }),
      request_id: requestId,
    })
    .meta({ id: 'ErrorMessages', description: 'The native messages format.' }),
  google: GOOGLE,
  interactions: GOOGLE,
  responses: z.object({ error: z.object(styleA) }).meta({
    id: 'ErrorResponses',
    description: 'The Responses protocol: style A with the codes that its clients act on.',
  }),
  brief: z
    .union([
      z.object({ error: z.object({ message, type: styleA.type.optional(), code }) }),
      z.object({
        error: z.object(styleA),
        code: code.optional(),
        message: message.optional(),
        request_id: requestId.optional(),
      }),
    ])
    .meta({
      id: 'ErrorInteraction',
      description: 'Interactions: brief for a 400, else style A. An error of the vendor may lack a type.',
    }),
};

/** Google's clients expect 404 for what the other styles call a 400. */
const GOOGLE_NOT_FOUND: readonly ErrorCode[] = ['model_not_found', 'endpoint_model_mismatch'];

const statusesOf = (error: ErrorCode, dialects: readonly ErrorDialect[]): readonly number[] => [
  ERRORS[error].status,
  ...(dialects.includes('google') && GOOGLE_NOT_FOUND.includes(error) ? [404] : []),
];

/** The codes of each status, in the order of the statuses. */
export function errorsByStatus(
  codes: readonly ErrorCode[],
  dialects: readonly ErrorDialect[],
): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const error of new Set(codes)) {
    for (const status of statusesOf(error, dialects)) byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  return new Map([...byStatus].sort(([left], [right]) => left - right));
}

/** One schema of the styles. */
export function errorSchema(dialects: readonly ErrorDialect[]): z.ZodType {
  const [first, second, ...others] = dialects.map((dialect) => ERROR_SCHEMAS[dialect]);
  if (first === undefined) throw new Error('a route has at least one style of errors');
  return second === undefined ? first : z.union([first, second, ...others]);
}

/** The names of these styles among the schemas of a document. */
export const errorNames = (dialects: readonly ErrorDialect[]): readonly string[] =>
  dialects.map((dialect) => String(ERROR_SCHEMAS[dialect].meta()?.id));

/** A table of all errors in Markdown, for the description of a document. */
export function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([name, row]) =>
      `| ${row.status} | \`${name}\` | \`${row.styleBCode}\` | \`${row.anthropicType}\` | ${row.canRetry ? 'yes' : 'no'} |`,
  );
  return [
    '| status | code | code (style B) | type (messages) | retry |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
