import { isJsonObject } from '@gateway/contracts';
import type { Rewritten } from '../rewritten.js';

type Body = Record<string, unknown>;
const ANSWER = 'answer';

/**
 * Returns the published form of a body that spells fields of OpenAI's interface as other gateways do. OpenAI would refuse
 * them, and other vendors ignore them. Undefined for every other body.
 *
 * - Together and Anyscale: `response_format` of type `json_object` with a `schema`; Hugging Face: with a `value`.
 * - Perplexity: `response_format` of type `json_schema` without a name.
 * - Mistral: the `tool_choice` `any`.
 * - OpenRouter: `include_reasoning` and `usage`.
 */
export function respell(body: Body): Rewritten | undefined {
  const schema = schemaOf(body.response_format) ?? unnamedSchemaOf(body.response_format);
  const forced = body.tool_choice === 'any' ? { tool_choice: 'required' } : undefined;
  const isOpenRouter = isJsonObject(body.usage) || typeof body.include_reasoning === 'boolean';
  if (schema === undefined && forced === undefined && !isOpenRouter) return undefined;
  const values = {
    ...(schema !== undefined && { response_format: { type: 'json_schema', json_schema: schema } }),
    ...forced,
  };
  const filled: Record<string, string> = {
    ...(schema !== undefined && filledIn(body.response_format)),
    ...forced,
  };
  if (!isOpenRouter) return { body: { ...body, ...values }, changes: { filled, dropped: [] } };
  const { usage: _, include_reasoning: includes, ...published } = body;
  const counts = countsOf(body);
  if (counts !== undefined) filled['stream_options.include_usage'] = 'true';
  return {
    body: { ...published, ...values, ...(counts !== undefined && { stream_options: counts }) },
    changes: { filled, dropped: includes === false ? ['include_reasoning'] : [] },
  };
}

function schemaOf(format: unknown): Body | undefined {
  if (!isJsonObject(format) || format.type !== 'json_object') return undefined;
  const schema = format.schema ?? format.value;
  return isJsonObject(schema) ? { name: ANSWER, schema } : undefined;
}

/** The schema with the name that OpenAI requires. */
function unnamedSchemaOf(format: unknown): Body | undefined {
  if (!isJsonObject(format) || format.type !== 'json_schema' || !isJsonObject(format.json_schema)) return undefined;
  return format.json_schema.name === undefined ? { name: ANSWER, ...format.json_schema } : undefined;
}

const filledIn = (format: unknown): Record<string, string> =>
  isJsonObject(format) && format.type === 'json_schema'
    ? { 'response_format.json_schema.name': ANSWER }
    : { 'response_format.type': 'json_schema' };

/** Whole answers have the counts always, streams if the client asks. */
function countsOf({ stream, usage, stream_options: given }: Body): Body | undefined {
  return stream === true && isJsonObject(usage) && usage.include === true && given == null
    ? { include_usage: true }
    : undefined;
}
