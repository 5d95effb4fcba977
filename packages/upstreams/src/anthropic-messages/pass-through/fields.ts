import {
  COUNTED,
  type FieldTable,
  free,
  NO_FILE_IDS,
  priced,
  refused,
  refusedExcept,
  SHARED,
} from '../../field-table/field-table.js';

/** Run by the client, or by the vendor for no more than tokens: bash, editors, computers, browsers, memory, tool search. */
const UNCHARGED_TOOL =
  /^(bash|text_editor|computer|computer_toolset|browser_toolset|memory|tool_search_tool_(bm25|regex))_\d{8}$/;
/** The hold covers these where `tools` has them. */
const WEB_TOOL = /^web_(search|fetch)_\d{8}$/;

const OWN_CONTENT = refusedExcept(NO_FILE_IDS, { exceptLike: /^(?!file$)/ });

/** Clients of this format send new fields every few weeks, so an unknown field passes. What costs extra is refused. */
export const fields: FieldTable = {
  title: 'POST /v1/messages to Anthropic',
  source: 'https://platform.claude.com/docs/en/api/beta/messages/create',
  unknown: { '': 'sent' },
  fields: {
    ...free(
      COUNTED,
      ...['model', 'messages', 'max_tokens', 'system', 'stop_sequences', 'stream', 'temperature', 'top_k', 'top_p'],
      ...['metadata', 'thinking', 'tool_choice', 'output_config', 'output_format', 'diagnostics'],
    ),
    ...priced('Written tokens are priced by the life of their cache.', 'cache_control'),
    service_tier: refusedExcept("expected 'auto' or 'standard_only': other tiers have no price here.", {
      except: ['auto', 'standard_only'],
    }),
    speed: refusedExcept("expected 'standard': fast output has no price here.", { except: ['standard'] }),
    inference_geo: refusedExcept("expected 'global': other regions have no price here.", { except: ['global'] }),
    ...refused('containers have no price here.', 'container'),
    ...refused('servers that the vendor calls are not served here. Call them from your client.', 'mcp_servers'),
    ...refused('a summary is an extra call that has no price here.', 'compaction'),
    ...refused('a second model has no price here. Send the request again with another model.', 'fallbacks'),
    ...refused(SHARED, 'fallback_credit_token', 'billing_policy', 'workspace_id', 'user_profile_id'),
    ...refused("send the names in the header 'anthropic-beta'.", 'betas', 'anthropic_beta'),
    ...free(COUNTED, 'context_management'),
    'context_management.edits[].type': refusedExcept('expected an edit that calls no model.', {
      exceptLike: /^clear_[a-z_]+_\d{8}$/,
    }),
    'tools[].type': refusedExcept('a tool that the vendor runs has no price here, except for searches and fetches.', {
      except: ['custom'],
      exceptLike: new RegExp(`${UNCHARGED_TOOL.source}|${WEB_TOOL.source}`),
    }),
    'messages[].content[].tool.definition.type': refusedExcept(
      'a tool that a message adds has no price here if the vendor runs it. Send it in `tools`.',
      { except: ['custom'], exceptLike: UNCHARGED_TOOL },
    ),
    'messages[].content[].type': refusedExcept('files of a container are not served here.', {
      exceptLike: /^(?!container_upload)/,
    }),
    'messages[].content[].source.type': OWN_CONTENT,
    'messages[].content[].content[].source.type': OWN_CONTENT,
  },
};
