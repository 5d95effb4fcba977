import { type ModelWithCapability, type OwnImageEdits, withCapability } from '@gateway/catalogue';
import {
  type Changes,
  type EditFile,
  editUnits,
  GatewayError,
  type ImageEditModelTraits,
  type ImageEditRequest,
  imageEditRequest,
  truncateForError,
  type Usage,
} from '@gateway/contracts';
import type { ImageReference } from '@gateway/upstreams';
import { checked } from '../checked.js';
import { estimatedUsage } from '../images-generations/valid-image-request.js';
import { validateReferences } from '../images-generations/validate-image-request.js';
import { maxTokensOfText } from '../max-tokens.js';
import { unsupportedParameter, unsupportedValue } from '../unsupported.js';
import type { FormFile } from './form-file.js';
import { checkEditFiles } from './validate-edit-files.js';

export interface EditForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FormFile[];
}

/** A valid edit: the request for the worker, and its maximum usage. */
export interface ValidEdit {
  readonly request: ImageEditRequest;
  readonly files: readonly EditFile[];
  readonly worstCase: Usage;
  readonly changes?: Changes;
}

/** Throws a 400 that names the field. */
export function validateImageEdit(form: EditForm, model: ModelWithCapability<'imageEdits'>): ValidEdit {
  const request = readFields(form.fields);
  if (!canStream(model)) rejectStream(request, model.id);
  return model.imageEdits.protocol === 'own-images'
    ? validateOwnEdit(request, form, withCapability(model, 'imageGeneration'), model.imageEdits)
    : validateOpenAiEdit(request, form, model.id, model.imageEdits.traits);
}

function validateOpenAiEdit(
  request: ImageEditRequest,
  form: EditForm,
  modelId: string,
  traits: ImageEditModelTraits,
): ValidEdit {
  const files = checkEditFiles(form.files, modelId, traits);
  checkPrompt(request.prompt, modelId, traits);
  checkChoices(request, modelId, traits);
  if (traits.billing.by === 'images') checkLegacy(request, modelId);
  checkFormat(request);
  const promptTokens = maxTokensOfText(request.prompt);
  const references = files.filter(({ field }) => field === 'image').length;
  const images = request.n ?? 1;
  const units = editUnits(traits, request, { images, references, promptTokens, partials: request.partial_images });
  return { request, files, worstCase: estimatedUsage(units, promptTokens) };
}

/** Stands for a file: nothing that is billed depends on its content. */
const PLACEHOLDER: ImageReference = { mediaType: 'image/png', base64: 'AAAA' };

/** An edit by the family's own images endpoint, which takes reference images. */
function validateOwnEdit(
  request: ImageEditRequest,
  form: EditForm,
  { id, imageGeneration }: ModelWithCapability<'imageGeneration'>,
  { traits: { images } }: OwnImageEdits,
): ValidEdit {
  const files = checkEditFiles(form.files, id, { images, supportsMask: false });
  if (request.input_fidelity !== undefined) {
    throw unsupportedParameter('input_fidelity', `'input_fidelity': ${id} does not support this field.`);
  }
  const references = files.map(() => PLACEHOLDER);
  const { worstCase, changes } = validateReferences({ ...request, model: id }, imageGeneration, references);
  return { request, files, worstCase, ...(changes !== undefined && { changes }) };
}

function readFields(fields: EditForm['fields']): ImageEditRequest {
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(imageEditRequest.shape, name)) throw unknownField(name);
    known[name] = value;
  }
  return checked(imageEditRequest, known);
}

const unknownField = (name: string): GatewayError =>
  /^(image(\[\])?|mask)$/.test(name)
    ? new GatewayError('invalid_request', `'${name}': expected a file, a part with a file name.`, { param: name })
    : new GatewayError('unknown_parameter', `Unknown parameter: '${truncateForError(name)}'.`, { param: name });

/** Models of today stream. One that stands in for a retired model answers as that did. */
const canStream = ({ imageEdits }: ModelWithCapability<'imageEdits'>): boolean =>
  imageEdits.protocol !== 'own-images' &&
  imageEdits.traits.billing.by === 'tokens' &&
  imageEdits.traits.standsIn === undefined;

function rejectStream({ stream, partial_images: partials }: ImageEditRequest, modelId: string): void {
  if (stream === true)
    throw unsupportedParameter('stream', `'stream': expected false, because ${modelId} streams no edits.`);
  if (partials !== undefined)
    throw unsupportedParameter('partial_images', `'partial_images': expected 0, because ${modelId} streams no edits.`);
}

function checkPrompt(prompt: string, modelId: string, { promptCharacters }: ImageEditModelTraits): void {
  if (prompt.length <= promptCharacters) return;
  throw new GatewayError('invalid_request', `'prompt': ${modelId} supports at most ${promptCharacters} characters.`, {
    param: 'prompt',
  });
}

function checkChoices({ size, input_fidelity }: ImageEditRequest, modelId: string, traits: ImageEditModelTraits): void {
  if (size !== undefined && size !== 'auto' && !traits.sizes.includes(size)) {
    throw unsupportedValue('size', modelId, size, `one of auto, ${traits.sizes.join(', ')}`);
  }
  if (input_fidelity !== undefined && !traits.supportsFidelity) {
    throw unsupportedParameter('input_fidelity', `'input_fidelity': ${modelId} does not support this field.`);
  }
}

/** Rejects fields that only models billed by tokens have. */
function checkLegacy(request: ImageEditRequest, modelId: string): void {
  for (const name of ['output_format', 'output_compression'] as const) {
    if (request[name] !== undefined)
      throw unsupportedParameter(name, `'${name}': ${modelId} does not support this field.`);
  }
  const { background } = request;
  if (background !== undefined && background !== 'auto') {
    throw unsupportedValue('background', modelId, background, 'auto');
  }
}

function checkFormat({ background, output_format: format, output_compression: compression }: ImageEditRequest): void {
  if (background === 'transparent' && format === 'jpeg') {
    const message = "'background': a transparent background needs 'output_format' png or webp.";
    throw new GatewayError('invalid_request', message, { param: 'background' });
  }
  if (compression !== undefined && compression < 100 && (format === undefined || format === 'png')) {
    const message = "'output_compression': a value below 100 needs 'output_format' jpeg or webp.";
    throw new GatewayError('invalid_request', message, { param: 'output_compression' });
  }
}
