/*
 * Files, batches, models, images and transcriptions of OpenAI, after the types of its own library (npm `openai` 7.57.0), which
 * its authors generate from the published document. Fields that may be absent are never null there.
 */

interface Schema {
  readonly [keyword: string]: unknown;
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };

/** All fields are required but those whose names end with a question mark. */
function object(fields: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
  };
}

const pageOf = (item: string): Schema =>
  object({
    object: oneOf('list'),
    data: listOf(ref(item)),
    'first_id?': text,
    'last_id?': text,
    has_more: { type: 'boolean' },
  });

const parts = { image_tokens: integer, text_tokens: integer };
const imageUsage = {
  input_tokens: integer,
  input_tokens_details: object(parts),
  output_tokens: integer,
  total_tokens: integer,
};
const imageEvent = {
  b64_json: text,
  background: oneOf('transparent', 'opaque', 'auto'),
  created_at: integer,
  output_format: oneOf('png', 'webp', 'jpeg'),
  quality: oneOf('low', 'medium', 'high', 'xhigh', 'max', 'auto'),
  size: text,
};
const imageEventOf = (kind: string): Schema => ({
  anyOf: [
    object({ ...imageEvent, type: oneOf(`${kind}.partial_image`), partial_image_index: integer }),
    object({ ...imageEvent, type: oneOf(`${kind}.completed`), usage: object(imageUsage) }),
  ],
});

const timesOf = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [`${name}_at?`, integer]));

export const OPENAI_OBJECTS = {
  OpenAIFile: object({
    id: text,
    object: oneOf('file'),
    bytes: integer,
    created_at: integer,
    filename: text,
    purpose: oneOf(
      ...['assistants', 'assistants_output', 'batch', 'batch_output', 'fine-tune'],
      ...['fine-tune-results', 'vision', 'user_data'],
    ),
    status: oneOf('uploaded', 'processed', 'error'),
    'expires_at?': integer,
    'status_details?': text,
  }),
  ListFilesResponse: pageOf('OpenAIFile'),
  DeleteFileResponse: object({ id: text, object: oneOf('file'), deleted: { type: 'boolean' } }),
  Batch: object({
    id: text,
    object: oneOf('batch'),
    endpoint: text,
    input_file_id: text,
    completion_window: text,
    created_at: integer,
    status: oneOf(
      ...['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'],
    ),
    ...timesOf('cancelled', 'cancelling', 'completed', 'expired', 'expires', 'failed', 'finalizing', 'in_progress'),
    'error_file_id?': text,
    'output_file_id?': text,
    'errors?': object({ 'object?': text, 'data?': listOf(ref('BatchError')) }),
    'metadata?': { type: ['object', 'null'], additionalProperties: text },
    'model?': text,
    'request_counts?': object({ completed: integer, failed: integer, total: integer }),
    'usage?': object({
      input_tokens: integer,
      input_tokens_details: object({ cached_tokens: integer }),
      output_tokens: integer,
      output_tokens_details: object({ reasoning_tokens: integer }),
      total_tokens: integer,
    }),
  }),
  BatchError: object({
    'code?': text,
    'line?': { type: ['integer', 'null'] },
    'message?': text,
    'param?': { type: ['string', 'null'] },
  }),
  ListBatchesResponse: pageOf('Batch'),
  Model: object({
    id: text,
    object: oneOf('model'),
    created: integer,
    owned_by: text,
    'shutdown_date?': { type: ['string', 'null'] },
  }),
  ListModelsResponse: object({ object: oneOf('list'), data: listOf(ref('Model')) }),
  ImagesResponse: object({
    created: integer,
    'data?': listOf(object({ 'b64_json?': text, 'revised_prompt?': text, 'url?': text })),
    'background?': oneOf('transparent', 'opaque'),
    'output_format?': oneOf('png', 'webp', 'jpeg', 'gif', 'svg'),
    'quality?': oneOf('low', 'medium', 'high', 'xhigh', 'max'),
    'size?': text,
    'usage?': object({ ...imageUsage, 'output_tokens_details?': object(parts) }),
  }),
  ImageGenStreamEvent: imageEventOf('image_generation'),
  ImageEditStreamEvent: imageEventOf('image_edit'),
  CreateTranscriptionResponse: {
    anyOf: [ref('TranscriptionVerbose'), object({ 'task?': { not: {} }, text, 'usage?': { type: 'object' } })],
  },
  TranscriptionVerbose: object({
    task: oneOf('transcribe'),
    duration: number,
    language: text,
    text,
    'segments?': listOf(ref('TranscriptionSegment')),
    'words?': listOf(object({ word: text, start: number, end: number })),
    'usage?': { type: 'object' },
  }),
  TranscriptionSegment: object({
    id: integer,
    start: number,
    end: number,
    text,
    seek: integer,
    tokens: listOf(integer),
    temperature: number,
    avg_logprob: number,
    compression_ratio: number,
    no_speech_prob: number,
  }),
  TranscriptionStreamEvent: {
    anyOf: [
      object({ type: oneOf('transcript.text.delta'), delta: text }),
      object({ type: oneOf('transcript.text.done'), text, 'usage?': { type: 'object' } }),
    ],
  },
} satisfies Readonly<Record<string, Schema>>;

type Name = keyof typeof OPENAI_OBJECTS;
const operation = (answer: Name, event?: Name) => ({
  answer: `#/$defs/${answer}`,
  ...(event !== undefined && { event: `#/$defs/${event}` }),
});

export const OPENAI_OPERATIONS = {
  'GET /v1/files': operation('ListFilesResponse'),
  'POST /v1/files': operation('OpenAIFile'),
  'GET /v1/files/{file_id}': operation('OpenAIFile'),
  'DELETE /v1/files/{file_id}': operation('DeleteFileResponse'),
  'GET /v1/batches': operation('ListBatchesResponse'),
  'POST /v1/batches': operation('Batch'),
  'GET /v1/batches/{batch_id}': operation('Batch'),
  'POST /v1/batches/{batch_id}/cancel': operation('Batch'),
  'GET /v1/models': operation('ListModelsResponse'),
  'GET /v1/models/{model}': operation('Model'),
  'POST /v1/images/generations': operation('ImagesResponse', 'ImageGenStreamEvent'),
  'POST /v1/images/edits': operation('ImagesResponse', 'ImageEditStreamEvent'),
  'POST /v1/audio/transcriptions': operation('CreateTranscriptionResponse', 'TranscriptionStreamEvent'),
};
