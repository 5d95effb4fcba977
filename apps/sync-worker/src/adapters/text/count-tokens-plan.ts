import { withCapability } from '@gateway/catalogue';
import type { CountTokensRequest } from '@gateway/contracts';
import { estimateTokenCount, PASS_THROUGH_MESSAGES } from '@gateway/upstreams';
import { bindUnary } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { nativeCall } from './messages-adapter.js';

/** POST /v1/messages/count_tokens: the upstream's count where it has one, else an estimate without any upstream call. */
export const planTokenCount: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const native = PASS_THROUGH_MESSAGES[model.chat.protocol];
  if (native !== undefined) return bindUnary(model, native.countTokens, nativeCall(ticket, model, body, false));
  const request = JSON.parse(body.toString('utf8')) as CountTokensRequest;
  return { kind: 'parallel', adapters: [], merge: () => estimateTokenCount(request) };
};
