import { withCapability } from '@gateway/catalogue';
import type { CountTokensRequest } from '@gateway/contracts';
import { estimateTokenCount, NATIVE_MESSAGES } from '@gateway/upstreams';
import type { OpenWork } from '../lane.js';
import { nativeCall } from './messages-lane.js';

/** POST /v1/messages/count_tokens: the upstream counts where it can, else the neutral estimate does without any call. */
export const openCountTokensWork: OpenWork = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const native = NATIVE_MESSAGES[model.chat.protocol];
  if (native === undefined) {
    const request = JSON.parse(body.toString('utf8')) as CountTokensRequest;
    return { lanes: [], merge: () => estimateTokenCount(request) };
  }
  const { countTokens } = native;
  const call = nativeCall(ticket, model, body, false);
  return {
    vendor: model.vendor,
    publicModel: model.id,
    upstreamModel: model.upstreamModel,
    streamsToClient: false,
    streamsUpstream: false,
    contentType: 'application/json; charset=utf-8',
    buildRequest: (target) => countTokens.buildRequest(call, target),
    readReply: (bytes) => countTokens.readReply(bytes, call),
    openReader: () => {
      throw new Error('a count of tokens is no stream');
    },
    readFailure: (failure) => countTokens.readFailure(failure),
  };
};
