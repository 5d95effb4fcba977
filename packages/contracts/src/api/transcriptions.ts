import { z } from 'zod';
import type { ChatEnvelope } from './completions.js';

/*
 * POST /v1/audio/transcriptions: the fields of a multipart form, so numbers and booleans arrive as text. The edge puts the
 * file into `file`, as base64.
 */

const MAX_PROMPT_CHARACTERS = 8_000;

const FORMATS = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const;
export type TranscriptionFormat = (typeof FORMATS)[number];

const notServed = (expected: string) => z.undefined({ error: expected }).optional();
const noWordTimes = { error: "expected 'segment': no model reports the times of words" };
/** One value, alone or in a list. */
const times = z
  .union([
    z.literal('segment', noWordTimes),
    z.array(z.literal('segment', noWordTimes), noWordTimes).length(1, noWordTimes),
  ])
  .optional();
const zeroToOne = 'expected a number from 0 to 1';

export const transcriptionRequest = z.strictObject({
  model: z.string().min(1),
  file: z.string({ error: 'expected a recording: the field is required' }).min(1, 'expected a recording, got no bytes'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "expected a language code such as 'en'")
    .optional(),
  prompt: z.string().max(MAX_PROMPT_CHARACTERS, `expected at most ${MAX_PROMPT_CHARACTERS} characters`).optional(),
  response_format: z.enum(FORMATS, { error: `expected one of ${FORMATS.join(', ')}` }).optional(),
  temperature: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d+(\.\d+)?$/, zeroToOne)
        .transform(Number),
    ])
    .refine((value) => value >= 0 && value <= 1, { error: zeroToOne })
    .optional(),
  stream: z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]).optional(),
  chunking_strategy: z.literal('auto', { error: "expected 'auto'" }).optional(),
  include: notServed('expected no value: chat models have no log probabilities of a transcript'),
  'include[]': notServed('expected no value: chat models have no log probabilities of a transcript'),
  timestamp_granularities: times,
  'timestamp_granularities[]': times,
});

export type TranscriptionRequest = z.infer<typeof transcriptionRequest>;

/** The form of a transcription's answer. */
export interface TranscriptionForm {
  readonly format: TranscriptionFormat;
  /** As the client named it. */
  readonly language?: string;
  /** Seconds of the recording. Present for `verbose_json` and subtitles. */
  readonly duration?: number;
  /** The model was asked for segments with their times. */
  readonly hasSegments?: true;
}

export interface TranscriptionEnvelope extends ChatEnvelope {
  readonly transcription: TranscriptionForm;
}
