import { withCapability } from '@gateway/catalogue';
import type { RerankRequest } from '@gateway/contracts';
import { RERANK_PROTOCOLS } from '@gateway/upstreams';
import { bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';

/** POST /v1/rerank: one upstream call, which scores all documents. */
export const adaptRerank: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'rerank');
  const { protocol, traits } = model.rerank;
  const request = JSON.parse(body.toString('utf8')) as RerankRequest;
  return bindUnary(model, RERANK_PROTOCOLS[protocol], {
    request,
    publicModel: model.id,
    traits,
    ...callIdentity(ticket),
  });
};
