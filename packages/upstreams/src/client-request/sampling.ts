import type { ChatCompletionRequest, ChatModelTraits } from '@gateway/contracts';

/** The temperature within the model's bounds; undefined if the client gave none or the model takes none. */
export function temperatureOf(request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined {
  const { temperature } = request;
  if (temperature == null || traits.temperature === 'fixed') return undefined;
  return Math.min(temperature, traits.temperature.max);
}

export const topPOf = (request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined =>
  traits.temperature === 'fixed' ? undefined : (request.top_p ?? undefined);

/** The cap on output tokens in either spelling, never above what the model can give. */
export function outputCapOf(request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined {
  const cap = request.max_completion_tokens ?? request.max_tokens;
  return cap == null ? undefined : Math.min(cap, traits.maxOutputTokens);
}

export const stopsOf = (request: ChatCompletionRequest): readonly string[] =>
  typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []);
