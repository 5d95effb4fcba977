import type { FieldTable } from '../field-table/field-table.js';
import { videoFields } from '../field-table/video-fields.js';

export const fields: FieldTable = {
  title: 'POST /v1/videos/generations to DashScope (Wan, HappyHorse)',
  source: 'https://www.alibabacloud.com/help/en/model-studio/text-to-video-api-reference',
  ...videoFields({ priced: ['audio'], refused: {} }),
};
