import type { Implementation } from '@modelcontextprotocol/server';

export const SERVER_INFO: Implementation = {
  name: 'unified-model-gateway',
  title: 'Unified Model Gateway',
  version: '1.0.0',
};

/** Instructions to the calling model about the tools as a whole. */
export const INSTRUCTIONS =
  "Many vendors' models behind one key, prepaid. list_models lists what this key may use and the prices. chat, message, " +
  'generate_image, edit_image, submit_video, embed and speak are charged; quote gives a price beforehand, and max_cost_usd ' +
  'on any of them refuses a call that could cost more. A video takes minutes: submit_video, then wait_for_video. An error ' +
  'names its code and a request id; a call that failed without a result costs nothing.';
