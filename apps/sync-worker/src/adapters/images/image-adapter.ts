import { withCapability } from '@gateway/catalogue';
import type { ImageRequest, InteractionRequest, OpenAiImageForm } from '@gateway/contracts';
import { isOpenAiImageBody, mapImageBody } from '@gateway/upstreams';
import type { Planner } from '../execution-plan.js';
import { bindImage } from './bind-image.js';
import { continueInteraction } from './interaction-adapter.js';
import { planOpenAiImages } from './openai-images-plan.js';

/** POST /v1/images/generations, in the protocol of the model's family. */
export const adaptImage: Planner = (ticket, catalogueModel, body, interactionIds) => {
  const model = withCapability(catalogueModel, 'imageGeneration');
  const { protocol, traits } = model.imageGeneration;
  const request = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  if (isOpenAiImageBody(protocol, request)) {
    const form = { ...request, model: model.id } as OpenAiImageForm;
    return planOpenAiImages(
      ticket,
      model,
      model.imageGeneration,
      mapImageBody(protocol, form, { id: model.id, traits }),
    );
  }
  const capability = model.imageGeneration;
  if (capability.protocol !== 'gemini-interactions')
    return bindImage(ticket, model, capability, request as ImageRequest<typeof capability.protocol>);
  return continueInteraction(ticket.accountId, request as InteractionRequest, interactionIds, (continued) =>
    bindImage(ticket, model, capability, continued),
  );
};
