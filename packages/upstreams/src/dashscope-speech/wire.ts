import { z } from 'zod';

/**
 * POST /api/v1/services/aigc/multimodal-generation/generation of alibabacloud.com/help/en/model-studio/qwen-tts, with
 * `X-DashScope-SSE: enable`. The vendor has no field for format or speed.
 */
export interface DashScopeSpeechBody {
  readonly model: string;
  readonly input: { readonly text: string; readonly voice: string; readonly instructions?: string };
}

/** `data` is base64 of 16-bit samples; `finish_reason` is the word `null` until the last event, which says `stop`. */
export const speechEvent = z.object({
  request_id: z.string().nullish(),
  output: z.object({
    finish_reason: z.string().nullish(),
    audio: z.object({ data: z.string().nullish() }).nullish(),
  }),
  usage: z.object({ characters: z.unknown() }).partial().nullish(),
});
