import { z } from 'zod';

/*
 * POST /v1/images/edits: the text fields of a form, so that numbers come as text. The files are described by `EditFile`;
 * what a model takes of all this is in its traits.
 */

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` }).optional();

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/, `expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `expected a whole number from ${least} to ${most}` })
    .optional();

export const imageEditRequest = z.strictObject({
  model: z.string().min(1),
  prompt: z.string({ error: 'expected a text: it is required' }).min(1),
  n: wholeNumber(1, 10),
  size: z.string().optional(),
  quality: oneOf(['auto', 'low', 'medium', 'high', 'standard', 'hd']),
  response_format: oneOf(['b64_json', 'url']),
  output_format: oneOf(['png', 'jpeg', 'webp']),
  output_compression: wholeNumber(0, 100),
  background: oneOf(['auto', 'transparent', 'opaque']),
  input_fidelity: oneOf(['low', 'high']),
  user: z.string().optional(),
});

export type ImageEditRequest = z.infer<typeof imageEditRequest>;

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** A file of a form, by what its own bytes say that it is. */
export interface EditFile {
  readonly field: 'image' | 'mask';
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** What leads the body of an edit on its way to a worker: the bytes of the files follow it, one after the other. */
export interface EditHead {
  readonly request: ImageEditRequest;
  readonly files: readonly EditFile[];
}
