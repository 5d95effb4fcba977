import { withCapability } from '@gateway/catalogue';
import { decodeEditBody } from '@gateway/contracts';
import { IMAGE_EDIT_PROTOCOLS } from '@gateway/upstreams';
import { bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { IMAGE_RESPONSE_LIMIT_BYTES } from './image-adapter.js';

/** POST /v1/images/edits: the files that the edge has validated, in the upstream's form encoding. */
export const adaptImageEdit: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'imageEdits');
  const { protocol, traits } = model.imageEdits;
  const { request, files } = decodeEditBody(body);
  const call = { request: { ...request, files }, publicModel: model.id, traits, ...callIdentity(ticket) };
  return {
    ...bindUnary(model, IMAGE_EDIT_PROTOCOLS[protocol], call),
    responseLimitBytes: IMAGE_RESPONSE_LIMIT_BYTES,
  };
};
