import { droppedExcept, type FieldTable, free, NO_FILE_IDS, refused, SHARED } from '../field-table/field-table.js';

/** The request is translated to the protocol of another vendor, so what that cannot express is not sent. */
export const fields: FieldTable = {
  title: 'POST /v1/responses to a model of another vendor',
  source: 'https://platform.openai.com/docs/api-reference/responses/create',
  unknown: { '': 'dropped' },
  fields: {
    ...free(
      'Its tokens are counted in the usage.',
      ...['model', 'input', 'instructions', 'max_output_tokens', 'stream', 'text', 'tools', 'tool_choice', 'reasoning'],
      ...['parallel_tool_calls', 'temperature', 'top_p', 'top_logprobs', 'user', 'prompt_cache_key', 'store'],
      ...['prompt_cache_retention', 'safety_identifier'],
    ),
    ...free('The gateway stores responses.', 'previous_response_id', 'conversation'),
    ...free('It changes the response only.', 'include', 'metadata', 'client_metadata', 'stream_options'),
    max_tool_calls: droppedExcept('The vendor runs no tools.'),
    service_tier: droppedExcept('The other vendor has one tier.', 'auto', 'default'),
    truncation: droppedExcept('A prompt is never cut.', 'disabled'),
    ...free('The gateway runs the response in the background.', 'background'),
    ...refused(SHARED, 'prompt'),
    ...refused('a summary is an extra call that has no price here.', 'context_management'),
    ...refused('moderation of a response has no price here.', 'moderation'),
    'input[].content[].file_id': { kind: 'refused', why: NO_FILE_IDS },
    'input[].output[].file_id': { kind: 'refused', why: NO_FILE_IDS },
  },
};
