import type { ChatCompletionRequest, ChatModelTraits } from '@gateway/contracts';

/** Temperature, limited to the model's maximum. Undefined if the client sent none or the model has a fixed one. */
export function temperatureOf(request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined {
  const { temperature } = request;
  if (temperature == null || traits.temperature === 'fixed') return undefined;
  return Math.min(temperature, traits.temperature.max);
}

export const topPOf = (request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined =>
  traits.temperature === 'fixed' ? undefined : (request.top_p ?? undefined);

/** Output token limit, from either field name, at most the model's own limit. */
export function outputCapOf(request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined {
  const cap = request.max_completion_tokens ?? request.max_tokens;
  return cap == null ? undefined : Math.min(cap, traits.maxOutputTokens);
}

export const stopsOf = (request: ChatCompletionRequest): readonly string[] =>
  typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []);
