import { ENDPOINTS, type ModelList } from '@gateway/contracts';
import { z } from 'zod';
import type { FreeTool } from '../tool.js';
import { dataResult, gatewayFacts } from './content.js';

const paths = Object.values(ENDPOINTS).map(({ path }) => path);

export const listModels: FreeTool = {
  kind: 'free',
  name: 'list_models',
  title: 'List models',
  description:
    'Lists the models that this key may use, with their endpoints, limits and prices (US dollars per million of each unit). ' +
    'Filter by endpoint to find the models of one tool.',
  input: z.looseObject({ endpoint: z.enum(paths).optional(), family: z.string().optional() }),
  hints: {
    endpoint: 'Only models of this endpoint, such as /v1/images/generations for generate_image.',
    family: 'Only models of this family: cl, gm, gp, qn, seedream, grok, …',
  },
  output: z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        family: z.string(),
        endpoints: z.array(z.string()),
        aliases: z.array(z.string()),
      }),
    ),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async run({ endpoint, family }, { gateway }) {
    const response = await gateway.request({ method: 'GET', path: '/v1/models' });
    const { data } = await response.json<ModelList>();
    const matching = data.filter(
      (model) =>
        (endpoint === undefined || model.endpoints.includes(String(endpoint))) &&
        (family === undefined || model.family === family),
    );
    const shown = matching.map(({ id, display_name, family, endpoints, limits, pricing, aliases }) => ({
      id,
      display_name,
      family,
      endpoints,
      limits,
      pricing,
      aliases,
    }));
    return dataResult({ data: shown }, response.facts);
  },
};
