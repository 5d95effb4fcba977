import { type FieldTable, free, refusedExcept } from '../field-table/field-table.js';

const ONE = refusedExcept('expected 1: one image for each request.', { except: [1] });

/** Names under which any release of the vendor's models reads the number of images. */
const COUNTS = ['n', 'num', 'count', 'num_images', 'number_of_images', 'image_count', 'batch_size', 'sample_count'];

const counted = (object: string) => Object.fromEntries(COUNTS.map((name) => [`${object}.${name}`, ONE]));

/** `input` and `parameters` are forwarded unchanged, unknown fields included. */
export const fields: FieldTable = {
  title: 'POST /v1/images/generations to DashScope (Qwen)',
  source: 'https://www.alibabacloud.com/help/en/model-studio/qwen-image-api',
  unknown: { '': 'refused' },
  fields: {
    ...free('An image has one price.', 'model', 'input', 'parameters', 'parameters.size', 'parameters.seed'),
    ...free(
      'An image has one price.',
      'parameters.watermark',
      'parameters.negative_prompt',
      'parameters.prompt_extend',
    ),
    ...counted('input'),
    ...counted('parameters'),
  },
};
