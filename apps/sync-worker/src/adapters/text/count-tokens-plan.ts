import { withCapability } from '@gateway/catalogue';
import { NO_USAGE } from '@gateway/contracts';
import { DIALECTS } from '@gateway/dialects';
import {
  estimatePromptTokens,
  estimateResponsesInput,
  PASS_THROUGH_MESSAGES,
  type UpstreamReply,
} from '@gateway/upstreams';
import { bindUnary } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { nativeCall } from './messages-adapter.js';

/** POST /v1/messages/count_tokens: the upstream's count where it has one, else an estimate without any upstream call. */
export const planTokenCount: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const native = PASS_THROUGH_MESSAGES[model.chat.protocol];
  if (native !== undefined) return bindUnary(model, native.countTokens, nativeCall(ticket, model, body, false));
  const { request } = DIALECTS['anthropic-messages'].decodeRequest(JSON.parse(body.toString('utf8')));
  return { kind: 'parallel', adapters: [], merge: () => countOf(estimatePromptTokens(request)) };
};

/** POST /v1/responses/input_tokens: an estimate. The edge has put the history into the input. */
export const planResponsesInput: Planner = (_ticket, _model, body) => ({
  kind: 'parallel',
  adapters: [],
  merge: () => estimateResponsesInput(body),
});

const countOf = (tokens: number): UpstreamReply => ({
  body: Buffer.from(JSON.stringify({ input_tokens: tokens })),
  usage: NO_USAGE,
  upstreamId: undefined,
});
