import { z } from 'zod';

/*
 * POST /v1/audio/speech. Objects are open: what a newer client library adds does no harm.
 */

/** What clients of this protocol may send at once; an upstream that takes less is asked several times. */
export const MAX_SPEECH_CHARACTERS = 4_096;

/** The voices of the protocol that clients bring along: no upstream here has them, so they mean the default voice. */
export const VOICE_ALIASES: ReadonlySet<string> = new Set([
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
]);

export const SPEECH_FORMATS = ['mp3', 'wav'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

/** Characters as people count them: one outside the basic plane is one, though it is two units of a string. */
const lengthOf = (text: string): number => [...text].length;

export const speechRequest = z.looseObject({
  model: z.string().min(1),
  input: z
    .string({ error: 'expected the text to speak' })
    .refine((text) => text.trim() !== '', 'expected text to speak, it is empty')
    .refine(
      (text) => text.length <= MAX_SPEECH_CHARACTERS || lengthOf(text) <= MAX_SPEECH_CHARACTERS,
      `expected at most ${MAX_SPEECH_CHARACTERS} characters`,
    ),
  voice: z.string().min(1).nullish(),
  response_format: z.enum(SPEECH_FORMATS).nullish(),
  instructions: z.string().nullish(),
  /** Accepted, without effect. */
  speed: z.number().nullish(),
  stream_format: z.literal('audio', { error: "expected 'audio': the answer is the sound itself" }).nullish(),
});

export type SpeechRequest = z.infer<typeof speechRequest>;
