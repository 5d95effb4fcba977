import { type FieldTable, priced } from '../field-table/field-table.js';
import {
  CACHE_MARKS,
  chatFields,
  lostInside,
  refusedRoutes,
  VENDORS_FILES,
} from '../openai-compatible-chat/chat-fields.js';

/** The client's chat request is translated, so every field that the translation lacks is not sent. */
export const fields: FieldTable = {
  title: 'POST /v1/chat/completions to Anthropic',
  source: 'https://platform.claude.com/docs/en/api/messages',
  unknown: { '': 'dropped' },
  fields: {
    ...chatFields(
      ...(['messages', 'model', 'max_completion_tokens', 'max_tokens', 'n', 'parallel_tool_calls'] as const),
      ...(['reasoning_effort', 'response_format', 'stop', 'stream', 'stream_options', 'temperature'] as const),
      ...(['tool_choice', 'tools', 'top_p', 'user'] as const),
    ),
    ...priced('The prompt up to it is billed as written to or read from a cache.', ...CACHE_MARKS),
    ...priced('It caches a prompt without marks, which is billed as written or read.', 'prompt_cache_key'),
    ...lostInside(...CACHE_MARKS, 'tools[].function.strict'),
    ...VENDORS_FILES,
    ...refusedRoutes,
  },
};
