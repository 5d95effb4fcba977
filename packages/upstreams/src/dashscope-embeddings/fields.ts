import { droppedExcept, type FieldTable, free } from '../field-table/field-table.js';

export const fields: FieldTable = {
  title: 'POST /v1/embeddings to DashScope',
  source: 'https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api',
  unknown: { '': 'refused' },
  fields: {
    ...free('Its tokens are counted in the usage.', 'model', 'input', 'encoding_format', 'dimensions'),
    user: droppedExcept('The vendor has no such field.'),
  },
};
