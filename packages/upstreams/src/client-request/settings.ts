import type { NeutralCall } from '../protocol.js';

/** Temperature, limited to the model's maximum. Undefined if the client sent none or the model has a fixed one. */
export function sentTemperature({ request, traits }: NeutralCall): number | undefined {
  const { temperature } = request.settings;
  if (temperature === undefined || traits.temperature === 'fixed') return undefined;
  return Math.min(temperature, traits.temperature.max);
}

/** As the client sent it; undefined if the model has fixed sampling. */
export const sentTopP = ({ request, traits }: NeutralCall): number | undefined =>
  traits.temperature === 'fixed' ? undefined : request.settings.topP;

/** The client's cap, at most the model's own limit. */
export function sentOutputCap({ request, traits }: NeutralCall): number | undefined {
  const { maxOutputTokens: cap } = request.settings;
  return cap === undefined ? undefined : Math.min(cap, traits.maxOutputTokens);
}
