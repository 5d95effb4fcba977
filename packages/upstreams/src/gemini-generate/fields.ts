import type { FieldTable } from '../field-table/field-table.js';
import { chatFields, lostInside, refusedRoutes, VENDORS_FILES } from '../openai-compatible-chat/chat-fields.js';

/** The client's chat request is translated, so every field that the translation lacks is not sent. */
export const fields: FieldTable = {
  title: 'POST /v1/chat/completions to Gemini',
  source: 'https://ai.google.dev/api/generate-content',
  unknown: { '': 'dropped' },
  fields: {
    ...chatFields(
      ...(['messages', 'model', 'frequency_penalty', 'max_completion_tokens', 'max_tokens', 'n'] as const),
      ...(['presence_penalty', 'reasoning_effort', 'response_format', 'seed', 'stop', 'stream'] as const),
      ...(['stream_options', 'temperature', 'tool_choice', 'tools', 'top_p'] as const),
    ),
    ...lostInside(),
    ...VENDORS_FILES,
    ...refusedRoutes,
  },
};
