import { type CatalogueModel, nativeImagesOf } from '@gateway/catalogue';
import { type Changes, generateContentRequest, type SyncTicket } from '@gateway/contracts';
import { CONTENT_NAMES, contentOfInteraction, interactionOfContents } from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import { bindImage } from './bind-image.js';

/** Google's native request to an image model, as one interaction of which nothing is stored. */
export function adaptGenerateImage(ticket: SyncTicket, model: CatalogueModel, body: Buffer): ModelAdapter {
  const request = generateContentRequest.parse(JSON.parse(body.toString('utf8')));
  const adapter = bindImage(ticket, model, nativeImagesOf(model), interactionOfContents(request, model.id));
  if (adapter.kind === 'stream') return adapter;
  return {
    ...adapter,
    buildRequest: (target) => {
      const { changes, ...wire } = adapter.buildRequest(target);
      return { ...wire, changes: capOf(changes) };
    },
    readReply: (reply) =>
      contentOfInteraction(adapter.readReply(reply), { publicModel: model.id, requestId: ticket.requestId }),
  };
}

const CAP = 'generation_config.max_output_tokens';

/** The cap that the hold pays for, by its name in the client's format. Other changes follow from that format. */
function capOf(changes: Changes | undefined): Changes {
  const cap = changes?.filled[CAP];
  return { filled: cap === undefined ? {} : { [CONTENT_NAMES[CAP]]: cap }, dropped: [] };
}
