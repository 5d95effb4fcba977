import { droppedExcept, type FieldTable, free } from '../field-table/field-table.js';

/** The request is decoded to the neutral form, so what that cannot express is not sent. */
export const fields: FieldTable = {
  title: 'POST /v1/messages to a model of another vendor',
  source: 'https://platform.claude.com/docs/en/api/messages',
  unknown: { '': 'dropped' },
  fields: {
    ...free(
      'Its tokens are counted in the usage.',
      ...['model', 'messages', 'max_tokens', 'system', 'stop_sequences', 'stream', 'temperature', 'top_p', 'top_k'],
      ...['metadata', 'thinking', 'tool_choice', 'tools', 'output_config'],
      'output_format',
    ),
    'messages[].content[].citations': droppedExcept('The other vendor cites no documents.', { enabled: false }),
    speed: droppedExcept('The other vendor has one speed.', 'standard'),
    inference_geo: droppedExcept('The other vendor has one region.', 'global'),
    service_tier: droppedExcept('The other vendor has one tier.', 'auto', 'standard_only'),
  },
};
