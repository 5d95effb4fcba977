import { isStandIn, type ModelWithCapability } from '@gateway/catalogue';
import { EFFORTS, type Effort, isJsonObject } from '@gateway/contracts';
import { nearestEffort } from '@gateway/upstreams';
import type { Rewritten } from '../rewritten.js';

type Body = Record<string, unknown>;
const ANSWER = 'answer';

type ChatModel = ModelWithCapability<'chat'>;

/**
 * Returns the published form of a body that spells fields of OpenAI's interface as other gateways do. OpenAI would refuse
 * them, and other vendors ignore them. Undefined for every other body.
 *
 * - Together and Anyscale: `response_format` of type `json_object` with a `schema`; Hugging Face: with a `value`.
 * - Perplexity: `response_format` of type `json_schema` without a name.
 * - Mistral: the `tool_choice` `any`.
 * - OpenRouter: `reasoning`, `include_reasoning` and `usage`.
 */
export function respell(body: Body, model: ChatModel): Rewritten | undefined {
  const schema = schemaOf(body.response_format) ?? unnamedSchemaOf(body.response_format);
  const forced = body.tool_choice === 'any' ? { tool_choice: 'required' } : undefined;
  const { reasoning, usage, include_reasoning: includes } = body;
  const isOpenRouter = isJsonObject(reasoning) || isJsonObject(usage) || typeof includes === 'boolean';
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
  const { reasoning: _, usage: __, include_reasoning: ___, ...published } = body;
  const effort = effortOf(body, model);
  const counts = countsOf(body);
  if (effort !== undefined) filled.reasoning_effort = effort;
  if (counts !== undefined) filled['stream_options.include_usage'] = 'true';
  return {
    body: {
      ...published,
      ...values,
      ...(effort !== undefined && { reasoning_effort: effort }),
      ...(counts !== undefined && { stream_options: counts }),
    },
    changes: { filled, dropped: lostOf(body, effort) },
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

/**
 * The published effort, where the body has none: the nearest one of the model, as OpenRouter takes every effort for every
 * model. A model without efforts gets none.
 */
function effortOf({ model: name, reasoning, reasoning_effort: given }: Body, model: ChatModel): string | undefined {
  const { chat } = model;
  if (!isJsonObject(reasoning) || given != null || chat.traits.efforts === null) return undefined;
  const effort = reasoning.effort ?? (reasoning.enabled === false ? 'none' : undefined);
  if (typeof effort !== 'string') return undefined;
  if (!isEffort(effort)) return effort;
  // By a built-in name every other effort is fitted by `fitStandInChat`.
  return effort !== 'none' && isStandIn(name, model) ? effort : nearestEffort(effort, chat.traits);
}

const isEffort = (text: string): text is Effort => (EFFORTS as readonly string[]).includes(text);

/** Whole answers have the counts always, streams if the client asks. */
function countsOf({ stream, usage, stream_options: given }: Body): Body | undefined {
  return stream === true && isJsonObject(usage) && usage.include === true && given == null
    ? { include_usage: true }
    : undefined;
}

function lostOf({ reasoning, include_reasoning: includes }: Body, effort: string | undefined): readonly string[] {
  const shown = typeof includes === 'boolean' ? ['include_reasoning'] : [];
  if (!isJsonObject(reasoning)) return shown;
  const served = effort === undefined ? [] : [reasoning.effort == null ? 'enabled' : 'effort'];
  const lost = Object.keys(reasoning).filter((name) => reasoning[name] != null && !served.includes(name));
  return [...shown, ...lost.slice(0, 8).map((name) => `reasoning.${name.slice(0, 64)}`)];
}
