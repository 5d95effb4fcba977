import { droppedExcept, type FieldTable, free, priced, refused } from '../field-table/field-table.js';

const PER_IMAGE = 'An image has one price.';

/** The vendor reads names without regard to case. */
export const fields: FieldTable = {
  title: 'POST /v1/images/generations to BytePlus (Seedream)',
  source: 'https://docs.byteplus.com/en/docs/ModelArk/1541523',
  unknown: { '': 'refused', sequential_image_generation_options: 'refused', optimize_prompt_options: 'refused' },
  fields: {
    ...free(PER_IMAGE, 'model', 'prompt', 'image', 'size', 'seed', 'stream', 'response_format', 'watermark'),
    ...free(PER_IMAGE, 'guidance_scale', 'output_format', 'optimize_prompt', 'optimize_prompt_options.mode'),
    ...priced('Each image is held and charged.', 'sequential_image_generation'),
    ...priced('Each image is held and charged.', 'sequential_image_generation_options.max_images'),
    n: droppedExcept('The vendor has no such field.', 1),
    user: droppedExcept('The vendor has no such field.'),
    ...refused("the vendor has no such field. Set 'size' instead.", 'quality'),
    ...refused('a search has a price of its own, and none here.', 'tools'),
  },
};
