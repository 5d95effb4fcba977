import type { ChatCompletionRequest, ChatModelTraits } from '@gateway/contracts';

/** Temperature, limited to the model's maximum. Undefined if the client sent none or the model has a fixed one. */
export function temperatureOf(request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined {
  const { temperature } = request;
  if (temperature == null || traits.temperature === 'fixed') return undefined;
  return Math.min(temperature, traits.temperature.max);
}

export const topPOf = (request: ChatCompletionRequest, traits: ChatModelTraits): number | undefined =>
  traits.temperature === 'fixed' ? undefined : (request.top_p ?? undefined);
