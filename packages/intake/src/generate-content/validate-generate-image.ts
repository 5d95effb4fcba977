import { type CatalogueModel, nativeImagesOf } from '@gateway/catalogue';
import { GatewayError, generateContentRequest, mergeChanges } from '@gateway/contracts';
import { CONTENT_NAMES, interactionOfContents } from '@gateway/upstreams';
import { checked } from '../checked.js';
import { validateInteraction } from '../images-generations/interaction.js';
import type { ValidImageRequest } from '../images-generations/valid-image-request.js';
import { checkKnownFields } from '../known-fields.js';
import { checkModel } from './validate-generate.js';

/** Google's native request to an image model: held and billed as the interaction that it becomes. */
export function validateGenerateImage(
  body: Readonly<Record<string, unknown>>,
  model: CatalogueModel,
): ValidImageRequest {
  const { traits } = nativeImagesOf(model);
  checkModel(body, model);
  const known = checkKnownFields(body, 'generate-images');
  const interaction = interactionOfContents(checked(generateContentRequest, body), model.id);
  try {
    const { changes, ...valid } = validateInteraction(interaction, model.id, traits);
    return { ...valid, changes: mergeChanges(known, changes) };
  } catch (error) {
    throw error instanceof GatewayError ? inNamesOfClient(error) : error;
  }
}

const NAMES = Object.entries(CONTENT_NAMES);

/** An error about a field of the interaction, or of what is inside it, names the client's own field. */
function inNamesOfClient({ code, message, details }: GatewayError): GatewayError {
  const { param } = details;
  const named = NAMES.find(([field]) => param === field || param?.startsWith(`${field}[`));
  if (named === undefined) return new GatewayError(code, message, details);
  const [, name] = named;
  return new GatewayError(code, message.replace(`'${param}'`, `'${name}'`), { ...details, param: name });
}
