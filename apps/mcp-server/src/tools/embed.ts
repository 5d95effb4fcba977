import { type EmbeddingList, ENDPOINTS, embeddingsRequest } from '@gateway/contracts';
import { z } from 'zod';
import { OWN_ARGUMENTS, OWN_HINTS } from '../own-arguments.js';
import type { JsonObject, PaidTool } from '../tool.js';
import { asText, gatewayFacts } from './content.js';

const ENDPOINT = 'embeddings';
const { path } = ENDPOINTS[ENDPOINT];

export const embed: PaidTool = {
  kind: 'paid',
  name: 'embed',
  title: 'Embed text',
  description:
    'Turns texts into vectors, for search, clustering or comparison by meaning. One vector for each text, in order. The ' +
    'vectors are in the structured result, not in its text.',
  endpoint: ENDPOINT,
  input: embeddingsRequest.omit({ user: true }).extend(OWN_ARGUMENTS),
  hints: {
    ...OWN_HINTS,
    model: 'Which model makes the vectors; only vectors of one model can be compared.',
    input: 'One text, or several at once.',
    encoding_format: 'Numbers (float, the default), or base64 of little-endian 32-bit floats, which is shorter.',
    dimensions: 'The length of each vector, where the model has several.',
  },
  output: z.looseObject({
    model: z.string(),
    data: z.array(z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: (given) => given,

  async run(body, { gateway }) {
    const answer = await gateway.ask({ method: 'POST', path, json: body });
    const list = await answer.json<EmbeddingList>();
    const lengths = new Set(list.data.map(({ embedding }) => lengthOf(embedding)));
    const summary = `${list.data.length} vectors of ${[...lengths].join(' and ')} dimensions by ${list.model}, of ${list.usage.total_tokens} tokens.`;
    return {
      structured: { ...(list as unknown as JsonObject), gateway: answer.facts },
      content: [asText(summary)],
    };
  },
};

const FLOAT_BYTES = 4;

const lengthOf = (embedding: string | readonly number[]): number =>
  typeof embedding === 'string' ? Buffer.byteLength(embedding, 'base64') / FLOAT_BYTES : embedding.length;
