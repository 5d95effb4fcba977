import type { ModelWithCapability } from '@gateway/catalogue';
import { GatewayError, type SpeechRequest, speechRequest } from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';

/** Validates by the model's traits. Throws a 400 that names the field. The upstream rejects unknown voices. */
export function validateSpeech(body: Record<string, unknown>, model: ModelWithCapability<'speech'>): SpeechRequest {
  const parsed = speechRequest.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  const request = parsed.data;
  if (request.instructions != null && !model.speech.traits.supportsInstructions) {
    throw new GatewayError(
      'unsupported_parameter',
      `'instructions': ${model.id} takes none. Use qn3-tts-instruct-flash, or leave the field out.`,
      { param: 'instructions' },
    );
  }
  return request;
}
