import { z } from 'zod';

/**
 * Body of POST /api/v1/services/aigc/multimodal-generation/generation with `X-DashScope-SSE: enable`:
 * alibabacloud.com/help/en/model-studio/qwen-tts. The vendor has no fields for format and speed.
 */
export interface DashScopeSpeechBody {
  readonly model: string;
  readonly input: { readonly text: string; readonly voice: string; readonly instructions?: string };
}

/** One event. `data`: base64 of 16-bit samples. `finish_reason`: the string `null`, and `stop` in the last event. */
export const speechEvent = z.object({
  request_id: z.string().nullish(),
  output: z.object({
    finish_reason: z.string().nullish(),
    audio: z.object({ data: z.string().nullish() }).nullish(),
  }),
  usage: z.looseObject({ characters: z.unknown().optional() }).nullish(),
});
