import { droppedExcept, type FieldTable, free, priced } from '../field-table/field-table.js';

export const fields: FieldTable = {
  title: 'POST /v1/images/generations to OpenAI',
  source: 'https://platform.openai.com/docs/api-reference/images/create',
  unknown: { '': 'refused' },
  fields: {
    ...free('Its tokens are counted in the usage.', 'model', 'prompt', 'background', 'moderation'),
    ...free('It names a user.', 'user', 'safety_identifier'),
    ...free('It changes the encoding only.', 'output_format', 'output_compression', 'stream'),
    ...priced('Tokens of an image depend on it.', 'n', 'size', 'quality', 'partial_images'),
    response_format: droppedExcept('The vendor always returns base64.', 'b64_json'),
  },
};
