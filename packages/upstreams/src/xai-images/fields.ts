import { type FieldTable, free, priced, refused } from '../field-table/field-table.js';

/** The vendor's own body: a tier of another spelling would be charged as the default tier. */
export const fields: FieldTable = {
  title: 'POST /v1/images/generations to xAI',
  source: 'https://docs.x.ai/docs/api-reference#image-generations',
  unknown: { '': 'refused', image: 'refused', 'images[]': 'refused' },
  fields: {
    ...free('An image has one price for each tier.', 'model', 'prompt', 'aspect_ratio', 'response_format', 'user'),
    ...priced('Each image is held and charged by its tier.', 'n', 'resolution', 'quality'),
    ...priced('Reference images are charged where the model charges them.', 'image', 'images'),
    ...free('It names a reference image.', 'image.url', 'image.type', 'images[].url', 'images[].type'),
    ...refused('results are not stored with the vendor here.', 'storage_options'),
    ...refused("use 'aspect_ratio' and 'resolution'.", 'size'),
  },
};
