import type { ModelWithCapability } from '@gateway/catalogue';
import { countSpeechCharacters, GatewayError, type SpeechRequest, speechRequest, type Usage } from '@gateway/contracts';
import { checked } from '../checked.js';

/** Validates by the model's traits. Throws a 400 that names the field. The upstream rejects unknown voices. */
export function validateSpeech(body: Record<string, unknown>, model: ModelWithCapability<'speech'>): SpeechRequest {
  const request = checked(speechRequest, body);
  if (request.instructions != null && !model.speech.traits.supportsInstructions) {
    throw new GatewayError(
      'unsupported_parameter',
      `'instructions': ${model.id} does not support instructions. Use qn3-tts-instruct-flash, or omit the field.`,
      { param: 'instructions' },
    );
  }
  return request;
}

/** Counts characters as the upstream does. Speech is the only output whose exact cost is known in advance. */
export const worstCaseOfSpeech = ({ input }: SpeechRequest): Usage => ({
  units: { character: countSpeechCharacters(input) },
  inputTokensTotal: 0,
  isEstimated: true,
});
