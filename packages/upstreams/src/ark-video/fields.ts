import type { FieldTable } from '../field-table/field-table.js';
import { videoFields } from '../field-table/video-fields.js';

/** The vendor reads names without regard to case. Flags in a prompt are checked beside this table. */
export const fields: FieldTable = {
  title: 'POST /v1/videos/generations to BytePlus (Seedance)',
  source: 'https://docs.byteplus.com/en/docs/ModelArk/1520757',
  ...videoFields({
    priced: ['generate_audio', 'service_tier', 'draft', 'framespersecond', 'fps'],
    refused: {
      model: "set the model beside 'input', not in it.",
      callback_url: "send 'webhook_url' beside 'input': it is signed, and retried until it is accepted.",
      tools: 'videos are served without tools: a search has a price of its own.',
    },
  }),
};
