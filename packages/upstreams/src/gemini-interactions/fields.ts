import { COUNTED, type FieldTable, free, priced, refused, refusedExcept } from '../field-table/field-table.js';

const SYNCHRONOUS = refusedExcept('expected false: interactions are synchronous here.', { except: [false] });

/** The vendor reads names in both cases. Tools of the search kind are removed by the entry filter. */
export const fields: FieldTable = {
  title: 'POST /v1/images/generations to Gemini interactions',
  source: 'https://ai.google.dev/api/interactions-api',
  unknown: { '': 'refused', 'input[]': 'refused', response_format: 'refused', generation_config: 'refused' },
  fields: {
    ...free(COUNTED, 'model', 'input', 'input[].type', 'input[].text', 'input[].mime_type', 'input[].data'),
    ...free(COUNTED, 'system_instruction', 'response_format', 'response_format.type', 'response_format.mime_type'),
    ...priced('Tokens of an image depend on its size.', 'response_format.image_size'),
    ...free('It has no price.', 'response_format.aspect_ratio', 'store'),
    ...priced('The history is part of the prompt.', 'previous_interaction_id'),
    ...free(COUNTED, 'generation_config', 'generation_config.thinking_level', 'generation_config.thinking_summaries'),
    ...free(COUNTED, 'generation_config.temperature', 'generation_config.top_p', 'generation_config.seed'),
    ...priced('The hold covers it; without it a cap is sent.', 'generation_config.max_output_tokens'),
    ...free(COUNTED, 'generation_config.stop_sequences'),
    stream: SYNCHRONOUS,
    background: SYNCHRONOUS,
    service_tier: refusedExcept("expected 'standard': other tiers have no price here.", { except: ['standard'] }),
    ...refused('agents have no price here.', 'agent', 'agent_config'),
    ...free('Functions are run by the client; fetched pages are counted tokens.', 'tools'),
  },
};
