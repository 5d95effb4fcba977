import { z } from 'zod';

/* POST /v1/audio/speech. Objects are open, so that fields of newer client libraries are accepted. */

/** Limit of this protocol. For an upstream with a lower limit, the worker makes several calls. */
export const MAX_SPEECH_CHARACTERS = 4_096;

/** Voice names of the original protocol. No upstream here has them, so they select the default voice. */
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

/** Length in code points: a character outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length;

export const speechRequest = z.looseObject({
  model: z.string().min(1),
  input: z
    .string({ error: 'expected the text to speak' })
    .refine((text) => text.trim() !== '', 'expected the text to speak, got only white space')
    .refine(
      (text) => text.length <= MAX_SPEECH_CHARACTERS || lengthOf(text) <= MAX_SPEECH_CHARACTERS,
      `expected at most ${MAX_SPEECH_CHARACTERS} characters`,
    ),
  voice: z.string().min(1).nullish(),
  response_format: z.enum(SPEECH_FORMATS).nullish(),
  instructions: z.string().nullish(),
  /** Accepted without effect. */
  speed: z.number().nullish(),
  stream_format: z.literal('audio', { error: "expected 'audio': the response is the audio itself" }).nullish(),
});

export type SpeechRequest = z.infer<typeof speechRequest>;
