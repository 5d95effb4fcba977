import { type EmbeddingList, ENDPOINTS, embeddingsRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { LaterCall, PaidTool } from '../tool.js';
import { LATER_OPTION_HINTS, LATER_OPTIONS } from './call-options.js';
import { asText, gatewayFacts } from './content.js';
import { runNow } from './later/run-later.js';

const ENDPOINT = 'embeddings';
const { path } = ENDPOINTS[ENDPOINT];

const later: LaterCall = {
  requestOf: (body) => ({ method: 'POST', path, json: body }),
  async resultOf(response) {
    const list = await response.json<EmbeddingList>();
    const lengths = new Set(list.data.map(({ embedding }) => lengthOf(embedding)));
    const summary = `${list.data.length} vectors of ${[...lengths].join(' and ')} dimensions by ${list.model}, of ${list.usage.total_tokens} tokens.`;
    return {
      structured: { ...list, gateway: response.facts },
      content: [asText(summary)],
    };
  },
};

export const embed: PaidTool = {
  kind: 'paid',
  name: 'embed',
  title: 'Embed text',
  description:
    'Converts texts to vectors for search, clustering or comparison by meaning. Returns one vector for each text, in ' +
    'order. The vectors are in the structured result, not in its text.',
  endpoint: ENDPOINT,
  input: embeddingsRequest.omit({ user: true, output_dimension: true }).extend(LATER_OPTIONS),
  hints: {
    ...LATER_OPTION_HINTS,
    model: 'The model to use; only vectors of one model can be compared.',
    input: 'One text, or a list of texts.',
    encoding_format: 'Numbers (float, the default), or base64 of little-endian 32-bit floats, which is shorter.',
    dimensions: 'Length of each vector, where the model offers several.',
  },
  output: z.looseObject({
    model: z.string(),
    data: z.array(z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: (args) => args,

  later,
  run: (body, call) => runNow(later, body, call),
};

const FLOAT_BYTES = 4;

const lengthOf = (embedding: string | readonly number[]): number =>
  typeof embedding === 'string' ? Buffer.byteLength(embedding, 'base64') / FLOAT_BYTES : embedding.length;
