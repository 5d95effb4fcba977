import { type ModelWithCapability, withCapability } from '@gateway/catalogue';
import type { SyncTicket } from '@gateway/contracts';
import { DIALECTS, streamOfContent } from '@gateway/dialects';
import {
  adapterOf,
  estimateContentCount,
  type GenerateFraming,
  PASS_THROUGH_GENERATE,
  type PassThroughGenerateCall,
} from '@gateway/upstreams';
import { bindStreaming, bindUnary, callIdentity } from '../bind-protocol.js';
import type { ExecutionPlan, Planner } from '../execution-plan.js';
import { adaptGenerateImage } from '../images/generate-image-adapter.js';
import { withExactHistory } from './exact-history.js';
import { mustStreamWhole, wholePlan } from './whole-plan.js';

const EVENT_STREAM_QUERY = '?alt=sse';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * POST /v1beta/models/{model}:generateContent and :streamGenerateContent: the client's bytes if the upstream has the same
 * format, else a translated request.
 */
export const adaptGenerate: Planner = (ticket, catalogueModel, body, ids) => {
  const framing = framingOf(ticket);
  if (catalogueModel.chat === undefined) {
    const image = adaptGenerateImage(ticket, catalogueModel, body);
    return framing === undefined ? image : streamedWhole(image, framing);
  }
  const model = withCapability(catalogueModel, 'chat');
  const native = PASS_THROUGH_GENERATE[model.chat.protocol];
  const isStream = framing !== undefined;
  const contentType = framing === 'array' ? JSON_TYPE : undefined;
  if (native !== undefined) {
    return bindStreaming(model, native.create, nativeCall(ticket, model, body, framing), isStream, contentType);
  }
  if (framing !== undefined && mustStreamWhole(model, isStream)) {
    return streamedWhole(adaptGenerate({ ...ticket, endpoint: 'models.generate_content' }, model, body, ids), framing);
  }
  const call = {
    // The URL says how the response streams, the body does not.
    request: { ...withExactHistory(body, 'contents'), stream: framing },
    publicModel: model.id,
    traits: model.chat.traits,
    outputCap: ticket.outputCap,
    ...callIdentity(ticket),
  };
  return bindStreaming(model, adapterOf(DIALECTS['gemini-generate'], model.chat), call, isStream, contentType);
};

/** JSON may begin with any number of line breaks. Of events, Google's clients for Python take a comment for data. */
function streamedWhole(whole: ExecutionPlan, framing: GenerateFraming): ExecutionPlan {
  const form = framing === 'array' ? { contentType: JSON_TYPE, progress: '\n' } : { progress: '\n\n' };
  return wholePlan(whole, { ...form, toStream: (answer) => streamOfContent(answer, framing) });
}

/** POST /v1beta/models/{model}:countTokens: the upstream's count where it has one, else an estimate without any call. */
export const planContentCount: Planner = (ticket, catalogueModel, body) => {
  const { chat } = catalogueModel;
  const native = chat === undefined ? undefined : PASS_THROUGH_GENERATE[chat.protocol];
  if (native === undefined) return { kind: 'parallel', adapters: [], merge: () => estimateContentCount(body) };
  const model = withCapability(catalogueModel, 'chat');
  return bindUnary(model, native.countTokens, nativeCall(ticket, model, body, undefined));
};

/** The edge forwards `alt=sse` alone. Without it Google's API streams one array. */
function framingOf({ endpoint, forward }: SyncTicket): GenerateFraming | undefined {
  if (endpoint !== 'models.stream_generate_content') return undefined;
  return forward?.query === EVENT_STREAM_QUERY ? 'sse' : 'array';
}

const nativeCall = (
  { outputCap }: SyncTicket,
  { id, chat: { traits } }: ModelWithCapability<'chat'>,
  body: Buffer,
  framing: GenerateFraming | undefined,
): PassThroughGenerateCall => ({
  ...{ body, framing, publicModel: id, outputCap },
  ...(traits.thinking === 'budget' && { budgets: traits.efforts }),
  signsCalls: traits.signsCalls,
});
