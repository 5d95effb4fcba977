import { z } from 'zod';
import { videoPageLimit } from './video-generations.js';

/*
 * Videos as OpenAI's libraries ask for them: github.com/openai/openai-openapi, `CreateVideoBody` and `VideoResource`. A video is
 * a task of POST /v1/videos/generations in another form, so both list the same ones.
 */

export const VIDEOS_PATH = '/v1/videos';

const MOST_SECONDS = 9_999;

/** OpenAI's libraries send text. */
const seconds = z.union(
  [
    z.int().min(1).max(MOST_SECONDS),
    z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .transform(Number),
  ],
  'expected a whole number of seconds, such as "5"',
);

/** One of both. `image_url` may be a data URL; `file_id` is one of /v1/files. */
const imageReference = z
  .strictObject({ image_url: z.string().min(1).nullish(), file_id: z.string().min(1).nullish() })
  .refine((reference) => (reference.image_url == null) !== (reference.file_id == null), {
    error: "expected either 'image_url' or 'file_id'",
  });

export const videoCreation = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  /** A form has it as a file. */
  input_reference: imageReference.nullish(),
  seconds: seconds.nullish(),
  /** Width and height in pixels, such as `1280x720`. */
  size: z.string().nullish(),
  /** The model's own fields and parameters, beside or instead of those above. */
  input: z.record(z.string(), z.unknown()).nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  webhook_url: z.string().nullish(),
});

export type VideoCreation = z.output<typeof videoCreation>;

export const videosQuery = z.object({
  after: z.string().min(1).optional(),
  limit: videoPageLimit,
  order: z.enum(['asc', 'desc']).default('desc'),
});

export type VideosQuery = z.output<typeof videosQuery>;

/** What of a video is sent. The others have no source here. */
export const videoContentQuery = z.object({
  variant: z.enum(['video', 'thumbnail', 'spritesheet']).default('video'),
});

/** A video in every response. Times are Unix seconds. */
export interface VideoRecord {
  readonly id: string;
  readonly object: 'video';
  readonly model: string;
  readonly status: 'queued' | 'in_progress' | 'completed' | 'failed';
  /** Per cent, 0 to 100. */
  readonly progress: number;
  readonly created_at: number;
  readonly completed_at: number | null;
  /** When its content can be fetched no more; null until it is completed, or if nothing is kept. */
  readonly expires_at: number | null;
  /** Prompts are not kept: only the response to its creation has it. */
  readonly prompt: string | null;
  readonly seconds: string;
  /** Width and height, such as `1280x720`; the resolution alone if the vendor chose the ratio. */
  readonly size: string;
  readonly remixed_from_video_id: null;
  readonly error: { readonly code: string; readonly message: string } | null;
}
