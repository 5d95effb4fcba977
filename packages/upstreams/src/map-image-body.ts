import {
  type Changes,
  GatewayError,
  type ImageProtocolId,
  type ImageRequest,
  type ImageTraits,
  type OpenAiImageForm,
} from '@gateway/contracts';
import { imageBody as arkImages } from './ark-images/image-body.js';
import { imageBody as dashScopeImage } from './dashscope-image/image-body.js';
import { imageBody as geminiInteractions } from './gemini-interactions/image-body.js';
import type { ImageBody, ImageReference, OpenAiImage } from './openai-image-body/image-body.js';
import { readForm } from './openai-image-body/read-form.js';
import { imageBody as xaiImages } from './xai-images/image-body.js';

/** Families with a body of their own. OpenAI's own models take its body as it is. */
const IMAGE_BODIES: { readonly [Id in ImageProtocolId]?: ImageBody<Id> } = {
  'ark-images': arkImages,
  'dashscope-image': dashScopeImage,
  'gemini-interactions': geminiInteractions,
  'xai-images': xaiImages,
};

/** OpenAI's body as requests of a family. */
export interface MappedImages<Id extends ImageProtocolId> {
  readonly request: ImageRequest<Id>;
  /** The upstream calls that the images take, each with `request`. */
  readonly calls: number;
  readonly changes: Changes;
  /** The client wants the image itself, and this family may return a URL. */
  readonly wantsContent: boolean;
  imagesOf(response: unknown): readonly OpenAiImage[];
}

/** True for a body of OpenAI's images endpoint that is not the family's own. */
export const isOpenAiImageBody = (protocol: ImageProtocolId, body: Readonly<Record<string, unknown>>): boolean =>
  IMAGE_BODIES[protocol]?.isForm(body) ?? false;

/**
 * Maps a valid form to the family's own request. `references`: the images of an edit. Throws a GatewayError (400) that names
 * the client's field for what this model cannot do.
 */
export function mapImageBody<Id extends ImageProtocolId>(
  protocol: Id,
  form: OpenAiImageForm,
  model: { readonly id: string; readonly traits: ImageTraits<Id> },
  references: readonly ImageReference[] = [],
): MappedImages<Id> {
  const body: ImageBody<Id> | undefined = IMAGE_BODIES[protocol];
  if (body === undefined) throw new GatewayError('internal_error', `${protocol} takes the form as it is`);
  const { form: read, dropped } = readForm(form, model.id, body);
  const { request, sent = {}, dropped: left = [] } = body.toRequest(read, references, model.traits);
  return {
    request,
    calls: body.supports.several ? 1 : read.count,
    changes: { filled: withoutEqual(sent, form), dropped: [...dropped, ...left] },
    wantsContent: read.responseFormat === 'b64_json',
    imagesOf: (response) => body.imagesOf(response, read),
  };
}

/** A value that is sent as the client wrote it is no change. */
const withoutEqual = (sent: Changes['filled'], form: OpenAiImageForm): Changes['filled'] =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => String(Reflect.get(form, name)) !== value));
