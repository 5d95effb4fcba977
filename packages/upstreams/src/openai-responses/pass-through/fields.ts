import { RESPONSES_SEARCH_TOOL } from '@gateway/contracts';
import {
  COUNTED,
  dropped,
  type FieldRow,
  type FieldTable,
  free,
  NO_FILE_IDS,
  refused,
  refusedExcept,
  SHARED,
} from '../../field-table/field-table.js';
import { LEFT_OUT_TOOL } from './offered-tools.js';

/** Run by the client, or by the vendor for no more than tokens. */
const UNCHARGED_TOOL =
  /^(function|custom|namespace|tool_search|local_shell|shell|apply_patch|computer|computer_use_preview)$/;

const STATE = ['previous_response_id', 'conversation'];

const OWN_CONTENT: FieldRow = { kind: 'refused', why: NO_FILE_IDS };

/** Clients of this protocol send new fields every few weeks, so an unknown field passes. What costs extra is refused. */
export const fields: FieldTable = {
  title: 'POST /v1/responses to OpenAI',
  source: 'https://platform.openai.com/docs/api-reference/responses/create',
  unknown: { '': 'sent' },
  fields: {
    ...free(
      COUNTED,
      ...['model', 'input', 'instructions', 'max_output_tokens', 'max_tool_calls', 'stream', 'stream_options', 'text'],
      ...['tools', 'tool_choice', 'parallel_tool_calls', 'temperature', 'top_p', 'top_logprobs', 'include', 'user'],
      ...['metadata', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'safety_identifier'],
      ...['truncation', 'store', 'reasoning'],
    ),
    ...dropped(
      'It describes the client program. It changes nothing, and not every upstream takes it.',
      'client_metadata',
    ),
    ...free('The gateway stores responses and puts the history into the input.', ...STATE),
    'reasoning.mode': refusedExcept("expected 'standard': other modes have no price here.", { except: ['standard'] }),
    service_tier: refusedExcept("expected 'auto' or 'default': other tiers have no price here.", {
      except: ['auto', 'default'],
    }),
    ...free('The gateway runs the response in the background.', 'background'),
    ...dropped('The gateway runs the response in the background.', 'background_options'),
    'background_options.completion_window': refusedExcept("expected 'soonest': later windows have no price here.", {
      except: ['soonest'],
    }),
    ...refused(SHARED, 'prompt'),
    ...refused('a summary is an extra call that has no price here.', 'context_management'),
    ...refused('moderation of a response has no price here.', 'moderation'),
    'tools[].type': refusedExcept('a tool that the vendor runs has no price here, except for searches of the web.', {
      except: [LEFT_OUT_TOOL],
      exceptLike: new RegExp(`${UNCHARGED_TOOL.source}|${RESPONSES_SEARCH_TOOL.source}`),
    }),
    'tools[].environment.type': refusedExcept("expected 'local': containers have no price here.", {
      except: ['local'],
    }),
    'input[].type': refusedExcept(`expected an item with its content: ${SHARED}`, {
      exceptLike: /^(?!item_reference$)/,
    }),
    'input[].tools[].type': refusedExcept('a tool of an input item has no price here if the vendor runs it.', {
      exceptLike: UNCHARGED_TOOL,
    }),
    'input[].content[].file_id': OWN_CONTENT,
    'input[].output[].file_id': OWN_CONTENT,
  },
};
