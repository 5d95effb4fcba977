import { withCapability } from '@gateway/catalogue';
import { decodeEditBody } from '@gateway/contracts';
import { IMAGE_EDIT_PROTOCOLS } from '@gateway/upstreams';
import type { Lane, OpenWork } from '../lane.js';

/** Ten of the largest pictures as base64. */
const ANSWER_LIMIT_BYTES = 256 * 1024 * 1024;

/** POST /v1/images/edits: the files that the edge has checked, in a form of the upstream's own. */
export const openImageEditLane: OpenWork = (ticket, catalogueModel, body): Lane => {
  const model = withCapability(catalogueModel, 'imageEdits');
  const { protocol: id, traits } = model.imageEdits;
  const protocol = IMAGE_EDIT_PROTOCOLS[id];
  const { request, files } = decodeEditBody(body);
  const call = {
    request: { ...request, files },
    publicModel: model.id,
    traits,
    requestId: ticket.requestId,
    createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
  };
  return {
    vendor: model.vendor,
    publicModel: model.id,
    upstreamModel: model.upstreamModel,
    streamsToClient: false,
    streamsUpstream: false,
    contentType: 'application/json; charset=utf-8',
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    buildRequest: (target) => protocol.buildRequest(call, target),
    readReply: (bytes) => protocol.readReply(bytes, call),
    openReader: () => {
      throw new Error(`${protocol.id} does not stream`);
    },
    readFailure: (failure) => protocol.readFailure(failure),
  };
};
