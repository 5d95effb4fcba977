import { droppedExcept, type FieldTable, free } from '../field-table/field-table.js';

export const fields: FieldTable = {
  title: 'POST /v1/rerank to Voyage',
  source: 'https://docs.voyageai.com/reference/reranker-api',
  unknown: { '': 'refused' },
  fields: {
    ...free('Its tokens are counted in the usage.', 'model', 'query', 'documents', 'truncation'),
    ...free('It changes only the list of results.', 'top_n', 'top_k', 'return_documents'),
    user: droppedExcept('The vendor has no such field.'),
  },
};
