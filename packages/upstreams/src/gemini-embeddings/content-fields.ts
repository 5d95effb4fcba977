import { COUNTED, type FieldTable, free } from '../field-table/field-table.js';

const names = ['model', 'content', 'taskType', 'title', 'outputDimensionality'] as const;

/** The client's fields of Google's native embeddings, for every embedding model. */
export const contentFields: FieldTable = {
  title: 'POST /v1beta/models/{model}:embedContent and :batchEmbedContents',
  source: 'https://ai.google.dev/api/embeddings',
  unknown: { '': 'refused', 'requests[]': 'refused' },
  takesSnakeCase: true,
  fields: free(COUNTED, 'requests', ...names, ...names.map((name) => `requests[].${name}`)),
};
