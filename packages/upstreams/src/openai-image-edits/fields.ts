import { droppedExcept, type FieldTable, free, priced } from '../field-table/field-table.js';

export const fields: FieldTable = {
  title: 'POST /v1/images/edits to OpenAI',
  source: 'https://platform.openai.com/docs/api-reference/images/createEdit',
  unknown: { '': 'refused' },
  fields: {
    ...free('Its tokens are counted in the usage.', 'model', 'prompt', 'background'),
    ...free('It names a user.', 'user', 'safety_identifier'),
    ...free('It changes the encoding only.', 'output_format', 'output_compression', 'stream'),
    ...priced('Tokens or prices of an image depend on it.', 'n', 'size', 'quality', 'input_fidelity', 'partial_images'),
    response_format: droppedExcept('Current models always return base64.', 'b64_json'),
  },
};
