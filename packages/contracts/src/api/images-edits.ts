import { z } from 'zod';

/*
 * POST /v1/images/edits: the text fields of a multipart form, so numbers arrive as text.
 * `EditFile` describes the files; a model's traits say which of them it accepts.
 */

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` }).optional();

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `expected a whole number from ${min} to ${max}` })
    .optional();

/** As a form has it: a value that asks for none is as good as no field. */
const noneIf = <Schema extends z.ZodType>(none: readonly string[], schema: Schema) =>
  z.preprocess((value) => (none.includes(String(value)) ? undefined : value), schema);

export const imageEditRequest = z.strictObject({
  model: z.string().min(1),
  prompt: z.string({ error: 'expected text: the field is required' }).min(1),
  n: wholeNumber(1, 10),
  size: z.string().optional(),
  quality: oneOf(['auto', 'low', 'medium', 'high', 'standard', 'hd']),
  response_format: oneOf(['b64_json', 'url']),
  output_format: oneOf(['png', 'jpeg', 'webp']),
  output_compression: wholeNumber(0, 100),
  background: oneOf(['auto', 'transparent', 'opaque']),
  input_fidelity: oneOf(['low', 'high']),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
  stream: noneIf(
    ['', '0', 'false'],
    z
      .literal('true', { error: "expected 'true' or 'false'" })
      .transform((): true => true)
      .optional(),
  ),
  partial_images: noneIf(['', '0'], wholeNumber(0, 3)),
});

export type ImageEditRequest = z.infer<typeof imageEditRequest>;

/** The data itself: an edit sends files, and the gateway fetches no address of a client. */
const imageData = z.looseObject({
  image_url: z.string({ error: 'expected an image as a data URI' }).regex(/^data:[^,]*;base64,/i, {
    error: "expected a data URI, such as 'data:image/png;base64,…'",
  }),
});

/** The same edit as JSON, in OpenAI's form. Its other fields are those of the form, with numbers and booleans as such. */
export const imageEditJson = z.looseObject({
  images: z.array(imageData).min(1).max(16),
  mask: imageData.nullish(),
});

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** A file of the form, as detected from its bytes. `width` and `height` are pixels. */
export interface EditFile {
  readonly field: 'image' | 'mask';
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** The head of an edit's body on its way to a worker. The bytes of the files follow, in the order of `files`. */
export interface EditHead {
  readonly request: ImageEditRequest;
  readonly files: readonly EditFile[];
}
