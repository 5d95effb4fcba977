import { COUNTED, type FieldTable, free, refused, refusedExcept } from '../field-table/field-table.js';
import { chatFields } from '../openai-compatible-chat/chat-fields.js';
import { MARKED_TOOLS } from '../openai-compatible-chat/own-tools.js';

export const fields: FieldTable = {
  title: 'POST /v1/chat/completions to DashScope',
  source: 'https://www.alibabacloud.com/help/en/model-studio/qwen-api-via-openai-chat-completions',
  unknown: { '': 'refused', 'tools[]': 'refused', 'tools[].function': 'refused', stream_options: 'refused' },
  fields: {
    ...chatFields(
      ...(['messages', 'model', 'frequency_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens'] as const),
      ...(['max_tokens', 'n', 'parallel_tool_calls', 'presence_penalty', 'reasoning_effort'] as const),
      ...(['response_format', 'seed', 'stop', 'stream', 'stream_options', 'temperature', 'tool_choice'] as const),
      ...(['tools', 'top_logprobs', 'top_p', 'user'] as const),
    ),
    ...free('Thinking is output, which the usage counts.', 'enable_thinking', 'thinking_budget', 'preserve_thinking'),
    ...free(COUNTED, 'top_k', 'repetition_penalty', 'vl_high_resolution_images', 'fps', 'max_pixels', 'min_pixels'),
    enable_search: refusedExcept('expected false: searches have no price here.', { except: [false] }),
    ...refused('searches have no price here.', 'search_options', 'forced_search', 'enable_search_extension'),
    enable_code_interpreter: refusedExcept('expected false: this tool has no price here.', { except: [false] }),
    ...refused('plugins have no price here.', 'plugins'),
    ...refused('translation models are not served here.', 'translation_options'),
    ...free(COUNTED, 'tools[].type', 'tools[].function.name', 'tools[].function.description'),
    ...free(COUNTED, 'tools[].function.parameters', 'tools[].function.strict'),
    ...MARKED_TOOLS,
    ...free('It is sent as a function of one text.', 'tools[].custom'),
    ...free('It changes the events only.', 'stream_options.include_usage', 'stream_options.include_obfuscation'),
  },
};
