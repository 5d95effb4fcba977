import {
  COUNTED,
  dropped,
  type FieldTable,
  free,
  priced,
  refused,
  refusedExcept,
  SHARED,
} from '../field-table/field-table.js';
import { OWN_FILE } from '../field-table/google-files.js';

const NO_MEDIA = 'generated sound, images and videos have no price here. Use an image model.';
const NO_TOOL = 'expected one of function, code_execution, url_context: no other tool of the vendor has a price here.';

const config = (...names: readonly string[]): string[] => names.map((name) => `generation_config.${name}`);
const CONTENT = [
  'type',
  'text',
  'data',
  'mime_type',
  'annotations',
  'name',
  'call_id',
  'result',
  'is_error',
  'signature',
];
const STEP = [...CONTENT, 'content', 'id', 'arguments', 'summary', 'error'];

const inContents = (name: string): string[] => [`input[].${name}`, `input[].content[].${name}`];

/** Unknown fields are refused, as on `generateContent`: a new one may change the bill. */
export const fields: FieldTable = {
  title: 'POST /v1beta/interactions by chat models',
  source: 'https://ai.google.dev/api/interactions-api',
  unknown: {
    '': 'refused',
    generation_config: 'refused',
    'input[]': 'dropped',
    'input[].content[]': 'dropped',
    'tools[]': 'dropped',
  },
  fields: {
    ...free(COUNTED, 'model', 'input', 'system_instruction', 'tools', 'generation_config', 'response_format'),
    ...free(COUNTED, 'response_mime_type', ...config('temperature', 'top_p', 'top_k', 'seed', 'stop_sequences')),
    ...free(COUNTED, ...config('thinking_level', 'thinking_summaries', 'tool_choice')),
    ...free(COUNTED, ...STEP.map((name) => `input[].${name}`), ...CONTENT.map((name) => `input[].content[].${name}`)),
    ...free(COUNTED, ...['name', 'description', 'parameters'].map((name) => `tools[].${name}`)),
    ...priced('It decides the output that is held.', ...config('max_output_tokens')),
    ...priced('The history is part of the prompt.', 'previous_interaction_id'),
    ...free('The gateway stores interactions.', 'store', 'stream', 'background', 'labels'),
    'tools[].type': refusedExcept(NO_TOOL, { except: ['function', 'code_execution', 'url_context'] }),
    ...dropped('The vendor’s own thresholds apply.', 'safety_settings'),
    ...Object.fromEntries(inContents('uri').map((name) => [name, OWN_FILE])),
    ...dropped('The vendor scales media itself.', ...inContents('resolution')),
    ...refused('parts of videos have no price here.', ...inContents('processing')),
    response_modalities: refusedExcept(`expected ["text"]: ${NO_MEDIA}`, { except: [[], ['text'], ['TEXT']] }),
    ...refused(NO_MEDIA, ...config('speech_config', 'image_config', 'video_config', 'transcription_config')),
    service_tier: refusedExcept("expected 'standard': other tiers have no price here.", { except: ['standard'] }),
    ...refused('agents have no price here.', 'agent', 'agent_config', 'environment'),
    ...refused(SHARED, 'cached_content', 'continuation_token'),
    ...refused('register webhooks of the account.', 'webhook_config'),
  },
};
