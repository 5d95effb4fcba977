import { droppedExcept, type FieldTable, free, refusedExcept } from '../field-table/field-table.js';
import { VENDOR_FIELDS } from './wire.js';

export const fields: FieldTable = {
  title: 'POST /v1/embeddings to Voyage',
  source: 'https://docs.voyageai.com/reference/embeddings-api',
  unknown: { '': 'refused' },
  fields: {
    ...free('Its tokens are counted in the usage.', 'model', 'input', 'encoding_format', 'dimensions'),
    ...free('Its tokens are counted in the usage.', ...VENDOR_FIELDS),
    ...free("The vendor's own name of `dimensions`.", 'output_dimension'),
    output_dtype: refusedExcept("expected 'float'.", { except: ['float'] }),
    user: droppedExcept('The vendor has no such field.'),
  },
};
