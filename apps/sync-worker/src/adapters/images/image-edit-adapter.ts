import { withCapability } from '@gateway/catalogue';
import { decodeEditBody, type LoadedFile } from '@gateway/contracts';
import { IMAGE_EDIT_PROTOCOLS, type ImageReference, mapImageBody } from '@gateway/upstreams';
import { bindStream, bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { IMAGE_RESPONSE_LIMIT_BYTES } from './bind-image.js';
import { planOpenAiImages } from './openai-images-plan.js';

/**
 * POST /v1/images/edits: the files that the edge has validated, as the upstream's form or as references of its images endpoint.
 * The image itself is the default of every model: OpenAI's clients read no addresses of edits.
 */
export const adaptImageEdit: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'imageEdits');
  const { request, files } = decodeEditBody(body);
  if (model.imageEdits.protocol === 'own-images') {
    const { imageGeneration } = withCapability(model, 'imageGeneration');
    const { protocol, traits } = imageGeneration;
    const mapped = mapImageBody(
      protocol,
      { ...request, response_format: request.response_format ?? 'b64_json', model: model.id },
      { id: model.id, traits },
      files.map(asReference),
    );
    return planOpenAiImages(ticket, model, imageGeneration, mapped);
  }
  const { protocol, traits } = model.imageEdits;
  const call = { request: { ...request, files }, publicModel: model.id, traits, ...callIdentity(ticket) };
  if (request.stream === true) return bindStream(model, IMAGE_EDIT_PROTOCOLS[protocol], call);
  return {
    ...bindUnary(model, IMAGE_EDIT_PROTOCOLS[protocol], call),
    responseLimitBytes: IMAGE_RESPONSE_LIMIT_BYTES,
  };
};

const asReference = ({ format, content }: LoadedFile): ImageReference => ({
  mediaType: `image/${format}`,
  base64: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64'),
});
