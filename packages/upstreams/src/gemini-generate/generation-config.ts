import { budgetOf, effortOf } from '../client-request/choose-effort.js';
import { sentOutputCap, sentTemperature, sentTopP } from '../client-request/settings.js';
import type { NeutralCall } from '../protocol.js';
import type { GenerationConfig } from './wire.js';

/** Encodes sampling, limits, format and effort; undefined if the client set none of them. */
export function generationConfigOf(call: NeutralCall): GenerationConfig | undefined {
  const { settings } = call.request;
  const cap = sentOutputCap(call);
  const config: GenerationConfig = {
    ...sampling(call),
    ...(cap !== undefined && { maxOutputTokens: cap }),
    ...(settings.stop !== undefined && { stopSequences: settings.stop }),
    ...(settings.seed !== undefined && { seed: settings.seed }),
    ...responseFormat(call),
    ...thinking(call),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

/** The vendor refuses penalties and `topK` for the models whose sampling is fixed. */
function sampling(call: NeutralCall): GenerationConfig {
  const { topK, presencePenalty, frequencyPenalty } = call.request.settings;
  const temperature = sentTemperature(call);
  const topP = sentTopP(call);
  if (call.traits.temperature === 'fixed') return {};
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
  };
}

function responseFormat({ request }: NeutralCall): Pick<GenerationConfig, 'responseMimeType' | 'responseJsonSchema'> {
  const { format } = request.settings;
  if (format === undefined) return {};
  const schema = format.type === 'schema' ? format.schema : undefined;
  return { responseMimeType: 'application/json', ...(schema !== undefined && { responseJsonSchema: schema }) };
}

/** Requests thoughts only with an effort. Without one the model decides, and the client gets no reasoning text. */
function thinking(call: NeutralCall): Pick<GenerationConfig, 'thinkingConfig'> {
  const effort = effortOf(call);
  if (effort === undefined) return {};
  const thinkingBudget = budgetOf(effort);
  if (thinkingBudget === undefined) return { thinkingConfig: { thinkingLevel: effort, includeThoughts: true } };
  return { thinkingConfig: { thinkingBudget, includeThoughts: thinkingBudget > 0 } };
}
