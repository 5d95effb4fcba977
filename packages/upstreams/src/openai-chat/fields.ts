import { dropped, droppedExcept, type FieldTable, free, refused } from '../field-table/field-table.js';
import { CHAT_FIELDS, chatFields, VENDORS_FILES } from '../openai-compatible-chat/chat-fields.js';
import { MARKED_TOOLS } from '../openai-compatible-chat/own-tools.js';
import { FOREIGN_PATHS } from './own-messages.js';

const NOT_CARRIED: ReadonlySet<string> = new Set(['store', 'metadata', 'moderation', 'service_tier']);

const STORED = 'The vendor would store the conversation under an account that customers share.';

/** The vendor refuses unknown fields too. */
export const fields: FieldTable = {
  title: 'POST /v1/chat/completions to OpenAI chat completions',
  source: 'https://platform.openai.com/docs/api-reference/chat/create',
  unknown: { '': 'refused', 'tools[]': 'refused', 'tools[].function': 'refused', stream_options: 'refused' },
  fields: {
    ...chatFields(...CHAT_FIELDS.filter((name) => !NOT_CARRIED.has(name))),
    store: droppedExcept(STORED, false),
    metadata: droppedExcept(STORED, {}),
    ...refused('moderation of a completion has no price here.', 'moderation'),
    ...free('Its tokens are counted in the usage.', 'tools[].type', 'tools[].function.name'),
    ...free(
      'Its tokens are counted in the usage.',
      ...['tools[].function.description', 'tools[].function.parameters', 'tools[].function.strict'],
    ),
    ...free('Its tokens are counted in the usage.', 'tools[].custom'),
    ...dropped('The vendor refuses what another vendor’s model or client has added.', ...FOREIGN_PATHS),
    ...MARKED_TOOLS,
    ...VENDORS_FILES,
    ...free('It changes the events only.', 'stream_options.include_usage', 'stream_options.include_obfuscation'),
  },
};
