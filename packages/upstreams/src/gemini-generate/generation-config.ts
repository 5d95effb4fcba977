import { budgetOf, chooseEffort } from '../client-request/choose-effort.js';
import { outputCapOf, stopsOf, temperatureOf, topPOf } from '../client-request/sampling.js';
import type { ChatCall } from '../protocol.js';
import type { GenerationConfig } from './wire.js';

/** Converts sampling, limits, format and effort; undefined if the client set none of them. */
export function generationConfigOf(call: ChatCall): GenerationConfig | undefined {
  const { request, traits } = call;
  const temperature = temperatureOf(request, traits);
  const topP = topPOf(request, traits);
  const cap = outputCapOf(request, traits);
  const stops = stopsOf(request);
  const config: GenerationConfig = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(cap !== undefined && { maxOutputTokens: cap }),
    ...(stops.length > 0 && { stopSequences: stops }),
    ...penalties(call),
    ...(request.seed != null && { seed: request.seed }),
    ...responseFormat(call),
    ...thinking(call),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

/** The vendor refuses penalties for the models whose sampling is fixed. */
function penalties({ request, traits }: ChatCall): Pick<GenerationConfig, 'presencePenalty' | 'frequencyPenalty'> {
  if (traits.temperature === 'fixed') return {};
  return {
    ...(request.presence_penalty != null && { presencePenalty: request.presence_penalty }),
    ...(request.frequency_penalty != null && { frequencyPenalty: request.frequency_penalty }),
  };
}

function responseFormat({ request }: ChatCall): Pick<GenerationConfig, 'responseMimeType' | 'responseJsonSchema'> {
  const format = request.response_format;
  if (format == null || format.type === 'text') return {};
  const schema = format.type === 'json_schema' ? format.json_schema.schema : undefined;
  return { responseMimeType: 'application/json', ...(schema !== undefined && { responseJsonSchema: schema }) };
}

/** Requests thoughts only with an effort. Without one the model decides, and the client gets no reasoning text. */
function thinking({ request, traits }: ChatCall): Pick<GenerationConfig, 'thinkingConfig'> {
  const effort = chooseEffort(request, traits);
  if (effort === undefined) return {};
  const thinkingBudget = budgetOf(effort);
  if (thinkingBudget === undefined) return { thinkingConfig: { thinkingLevel: effort, includeThoughts: true } };
  return { thinkingConfig: { thinkingBudget, includeThoughts: thinkingBudget > 0 } };
}
