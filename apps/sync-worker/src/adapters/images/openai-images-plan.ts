import type { CatalogueModel, ImageCapability } from '@gateway/catalogue';
import type { ImageProtocolId, SyncTicket } from '@gateway/contracts';
import { imageEntries, joinImages, type MappedImages, type UpstreamReply } from '@gateway/upstreams';
import type { UnaryAdapter } from '../../model-adapter.js';
import { callIdentity } from '../bind-protocol.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { bindImage } from './bind-image.js';
import { inlineImages } from './inline-images.js';

/** Images in OpenAI's form by a family with a body of its own: one call, or one for each image. */
export function planOpenAiImages<Id extends ImageProtocolId>(
  ticket: SyncTicket,
  model: CatalogueModel,
  capability: ImageCapability<Id>,
  mapped: MappedImages<Id>,
): ExecutionPlan {
  const adapter = bindImage(ticket, model, capability, mapped.request);
  if (adapter.kind === 'stream') return adapter;
  const { createdSeconds } = callIdentity(ticket);
  const asList = (replies: readonly UpstreamReply[]): UpstreamReply => joinImages(replies, createdSeconds);
  const one: UnaryAdapter = {
    ...adapter,
    readReply: (body) => imageEntries(adapter.readReply(body), mapped.imagesOf),
    ...(mapped.wantsContent && { completeReply: inlineImages }),
  };
  if (mapped.calls === 1) {
    const complete = one.completeReply;
    return {
      ...one,
      ...(complete === undefined
        ? { readReply: (body: Uint8Array) => asList([one.readReply(body)]) }
        : { completeReply: async (reply, download) => asList([await complete(reply, download)]) }),
    };
  }
  return {
    kind: 'parallel',
    adapters: Array.from({ length: mapped.calls }, () => one),
    merge: asList,
    keepsPartial: true,
  };
}
