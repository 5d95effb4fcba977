import { type CatalogueModel, type ModelWithCapability, withCapability } from '@gateway/catalogue';
import { type Changes, GatewayError, interactionCreation, isInteractionId, mergeChanges } from '@gateway/contracts';
import { generateOfInteraction, imageBodyOfInteraction, inNamesOfInteraction } from '@gateway/upstreams';
import { contractOfGenerate } from '../abort-contract/decide-abort-contract.js';
import { checked } from '../checked.js';
import { validateGenerate } from '../generate-content/validate-generate.js';
import { worstCaseOfGenerate } from '../generate-content/worst-case-of-generate.js';
import { validateImageRequest } from '../images-generations/validate-image-request.js';
import { checkKnownFields } from '../known-fields.js';
import type { ValidJsonRequest } from '../valid-json-request.js';

type Body = Record<string, unknown>;

/** A stream of a model that never streams is made of its whole answer. */
const UNSTREAMED: Changes = { filled: { stream: 'false' }, dropped: [] };

/** Validates an interaction of any model that serves Google's native API. Throws a 400 that names the field. */
export const validateInteractions = (body: Body, model: CatalogueModel): ValidJsonRequest =>
  model.chat === undefined ? validateWithImages(body, model) : validateWithChat(body, withCapability(model, 'chat'));

/** Held and billed as the call of `generateContent` that it becomes. */
function validateWithChat(body: Body, model: ModelWithCapability<'chat'>): ValidJsonRequest {
  const known = checkKnownFields(body, 'interactions');
  const interaction = checked(interactionCreation, body);
  checkPrevious(interaction.previous_interaction_id);
  const isStream = interaction.stream === true;
  const { request: content, places } = generateOfInteraction(interaction);
  try {
    const request = validateGenerate({ ...content }, model);
    const isWhole = isStream && model.chat.traits.neverStreams === true;
    return {
      ...worstCaseOfGenerate(request, model),
      isStream,
      changes: mergeChanges(known, isWhole ? UNSTREAMED : undefined),
      abortContract: contractOfGenerate(request, model, isStream),
    };
  } catch (error) {
    throw error instanceof GatewayError ? inNamesOfInteraction(error, places) : error;
  }
}

/** Held and billed as on the images endpoint, whose models have this format themselves. */
function validateWithImages(body: Body, served: CatalogueModel): ValidJsonRequest {
  const { id, imageGeneration } = withCapability(served, 'imageGeneration');
  const previous = body.previous_interaction_id;
  const isContinued = typeof previous === 'string' && !isInteractionId(previous);
  const request = imageBodyOfInteraction(body, isContinued);
  const { changes, ...valid } = validateImageRequest(request, id, imageGeneration);
  const isStream = body.stream === true;
  return {
    ...valid,
    isStream,
    changes: mergeChanges(changes, isStream ? UNSTREAMED : undefined),
    rewritten: { ...request, ...(isStream && { stream: true }) },
  };
}

function checkPrevious(id: string | undefined): void {
  if (id === undefined || isInteractionId(id)) return;
  throw new GatewayError(
    'not_found',
    "'previous_interaction_id': there is no such interaction of a chat model. Only the image model itself continues one of its own.",
    { param: 'previous_interaction_id' },
  );
}
