import { type ModelWithCapability, withCapability } from '@gateway/catalogue';
import type { SyncTicket } from '@gateway/contracts';
import {
  estimateContentCount,
  type GenerateFraming,
  PASS_THROUGH_GENERATE,
  type PassThroughGenerateCall,
} from '@gateway/upstreams';
import { bindStream, bindUnary } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';

const EVENT_STREAM_QUERY = '?alt=sse';
const JSON_TYPE = 'application/json; charset=utf-8';

/** POST /v1beta/models/{model}:generateContent and :streamGenerateContent, in the client's own bytes. */
export const adaptGenerate: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const { create } = passThroughOf(model);
  const framing = framingOf(ticket);
  const call = callOf(ticket, model, body, framing);
  if (framing === undefined) return bindUnary(model, create, call);
  return bindStream(model, create, call, framing === 'array' ? { contentType: JSON_TYPE } : {});
};

/** POST /v1beta/models/{model}:countTokens: the upstream's count where it has one, else an estimate without any call. */
export const planContentCount: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const native = PASS_THROUGH_GENERATE[model.chat.protocol];
  if (native !== undefined) return bindUnary(model, native.countTokens, callOf(ticket, model, body, undefined));
  return { kind: 'parallel', adapters: [], merge: () => estimateContentCount(body) };
};

/** The edge forwards `alt=sse` alone. Without it Google's API streams one array. */
function framingOf({ endpoint, forward }: SyncTicket): GenerateFraming | undefined {
  if (endpoint !== 'models.stream_generate_content') return undefined;
  return forward?.query === EVENT_STREAM_QUERY ? 'sse' : 'array';
}

const callOf = (
  { outputCap }: SyncTicket,
  { id }: ModelWithCapability<'chat'>,
  body: Buffer,
  framing: GenerateFraming | undefined,
): PassThroughGenerateCall => ({ body, framing, publicModel: id, outputCap });

/** Throws for a model without the format: the catalogue lists none on this endpoint. */
function passThroughOf({ id, chat }: ModelWithCapability<'chat'>) {
  const protocol = PASS_THROUGH_GENERATE[chat.protocol];
  if (protocol === undefined) throw new Error(`${id} has no native generateContent`);
  return protocol;
}
