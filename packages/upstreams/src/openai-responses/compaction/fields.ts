import {
  COUNTED,
  dropped,
  type FieldTable,
  free,
  refused,
  refusedExcept,
  SHARED,
} from '../../field-table/field-table.js';
import { fields as responses } from '../pass-through/fields.js';

/** Rows of a response that are about its input. */
const inputRows = Object.fromEntries(
  Object.entries(responses.fields).filter(([path]) => path.startsWith('input[]') || path.startsWith('tools[]')),
);

/** A compaction reads the conversation of a response, and has no answer whose form could be set. */
export const fields: FieldTable = {
  title: 'POST /v1/responses/compact to OpenAI',
  source: 'https://platform.openai.com/docs/api-reference/responses/compact',
  unknown: { '': 'sent' },
  fields: {
    ...inputRows,
    ...free(
      COUNTED,
      ...['model', 'input', 'instructions', 'tools', 'parallel_tool_calls', 'reasoning', 'text'],
      ...['prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'safety_identifier'],
    ),
    ...dropped(
      'A compaction has no such field.',
      ...['stream', 'stream_options', 'store', 'background', 'include', 'max_output_tokens', 'max_tool_calls'],
      ...['metadata', 'tool_choice', 'temperature', 'top_p', 'top_logprobs', 'truncation', 'user', 'client_metadata'],
    ),
    ...free('The gateway puts the history into the input.', 'previous_response_id', 'conversation'),
    service_tier: refusedExcept("expected 'auto' or 'default': other tiers have no price here.", {
      except: ['auto', 'default'],
    }),
    ...refused(SHARED, 'prompt'),
  },
};
