import type { FieldTable } from '../field-table/field-table.js';
import { videoFields } from '../field-table/video-fields.js';

const EDIT = 'videos cannot be edited, because the duration of an edited video is not known in advance.';

export const fields: FieldTable = {
  title: 'POST /v1/videos/generations to xAI',
  source: 'https://docs.x.ai/docs/guides/video-generations',
  ...videoFields({
    priced: [],
    refused: {
      model: "set the model beside 'input', not in it.",
      video: EDIT,
      video_url: EDIT,
      storage_options: 'results are not stored with the vendor here.',
    },
  }),
};
