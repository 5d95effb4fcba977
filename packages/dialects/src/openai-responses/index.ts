import type { Dialect } from '@gateway/contracts';
import { decodeRequest, names, type ResponsesView } from './decode-request.js';
import { encodeAnswer } from './encode-answer.js';
import { openEncoder } from './encode-stream.js';

/** POST /v1/responses. A stream that breaks off is ended by the edge. */
export const openAiResponses: Dialect<ResponsesView> = {
  id: 'openai-responses',
  names,
  showsUpstreamErrors: true,
  losses: {
    'vendor-parts': 'The format has no items for tools that another vendor runs.',
    'stop-sequence': 'The format has no field for the sequence that stopped the model.',
  },
  decodeRequest,
  encodeAnswer,
  openEncoder,
};
