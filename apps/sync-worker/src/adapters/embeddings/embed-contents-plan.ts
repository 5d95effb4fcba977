import { withCapability } from '@gateway/catalogue';
import { contentsToEmbed } from '@gateway/contracts';
import { joinContentEmbeddings } from '@gateway/upstreams';
import type { Planner } from '../execution-plan.js';
import { batchAdapters } from './embeddings-plan.js';

/** POST /v1beta/models/{model}:embedContent and :batchEmbedContents, for every embedding model. */
export const planEmbedContents: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'embeddings');
  const contents = contentsToEmbed(JSON.parse(body.toString('utf8')));
  const { dimensions, taskType, title } = contents[0] ?? {};
  const adapters = batchAdapters(ticket, model, {
    texts: contents.map(({ text }) => text),
    dimensions: dimensions ?? model.embeddings.traits.defaultDimensions,
    encoding: 'float',
    vendorFields: {},
    task: { ...(taskType !== undefined && { taskType }), ...(title !== undefined && { title }) },
  });
  const isBatch = ticket.endpoint === 'models.batch_embed_contents';
  return {
    kind: 'parallel',
    adapters,
    merge: (replies) => joinContentEmbeddings(replies, { publicModel: model.id, isBatch }),
  };
};
