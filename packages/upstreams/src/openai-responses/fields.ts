import { type FieldTable, refused } from '../field-table/field-table.js';
import { chatFields, lostInside, VENDORS_FILES } from '../openai-compatible-chat/chat-fields.js';

/** The client's chat request is translated, so every field that the translation lacks is not sent. */
export const fields: FieldTable = {
  title: 'POST /v1/chat/completions to OpenAI responses',
  source: 'https://platform.openai.com/docs/api-reference/responses/create',
  unknown: { '': 'refused' },
  fields: {
    ...chatFields(
      ...([
        'messages',
        'model',
        'max_completion_tokens',
        'max_tokens',
        'metadata',
        'n',
        'parallel_tool_calls',
      ] as const),
      ...(['reasoning_effort', 'response_format', 'stream', 'stream_options', 'tool_choice', 'tools'] as const),
      ...(['top_p', 'user', 'verbosity'] as const),
    ),
    ...lostInside('messages[].content[].image_url.detail', 'tools[].function.strict'),
    ...VENDORS_FILES,
    ...refused('moderation of a completion has no price here.', 'moderation'),
  },
};
