import { droppedExcept, type FieldTable, free, priced, refusedExcept } from '../field-table/field-table.js';

export const fields: FieldTable = {
  title: 'POST /v1/audio/speech to DashScope',
  source: 'https://www.alibabacloud.com/help/en/model-studio/qwen-tts',
  unknown: { '': 'refused' },
  fields: {
    ...priced('Each character is charged.', 'input'),
    ...free('A character has one price.', 'model', 'voice', 'response_format', 'instructions'),
    speed: droppedExcept('The vendor has no such field.', 1),
    stream_format: refusedExcept("expected 'audio': the response is the audio itself.", { except: ['audio'] }),
  },
};
