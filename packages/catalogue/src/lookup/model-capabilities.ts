import { MAX_SPEECH_CHARACTERS, type ModelCapabilities, SPEECH_FORMATS } from '@gateway/contracts';
import type {
  CatalogueModel,
  ChatCapability,
  EmbeddingsCapability,
  ImageCapability,
  SpeechCapability,
} from '../catalogue-model.js';
import { editQualities, imageQualities, imageSizes } from './image-sizes.js';

/** `n` of OpenAI's body. */
const MAX_IMAGES = 10;

const chatOf = ({ traits }: ChatCapability): NonNullable<ModelCapabilities['chat']> => ({
  inputs: traits.inputs,
  efforts: Object.keys(traits.efforts ?? {}),
  thinking: traits.thinking,
  temperature_max: traits.temperature === 'fixed' ? null : traits.temperature.max,
  streams: traits.neverStreams !== true,
});

const imagesOf = (image: ImageCapability): NonNullable<ModelCapabilities['images']> => ({
  sizes: imageSizes(image),
  qualities: imageQualities(image),
  max_images: MAX_IMAGES,
  from_text: image.protocol !== 'dashscope-image' || image.traits.images.least === 0,
});

function editsOf({ imageEdits, imageGeneration }: CatalogueModel): ModelCapabilities['edits'] {
  if (imageEdits === undefined) return undefined;
  const max_references = imageEdits.traits.images.most;
  if (imageEdits.protocol === 'own-images') {
    const { sizes = [], qualities = [] } = imageGeneration === undefined ? {} : imagesOf(imageGeneration);
    return { sizes, qualities, max_images: MAX_IMAGES, max_references, mask: false };
  }
  const { sizes, supportsMask: mask } = imageEdits.traits;
  return { sizes, qualities: editQualities(imageEdits.traits), max_images: MAX_IMAGES, max_references, mask };
}

const embeddingsOf = ({ traits }: EmbeddingsCapability): NonNullable<ModelCapabilities['embeddings']> => ({
  default_dimensions: traits.defaultDimensions,
  dimensions:
    'least' in traits.dimensions ? { min: traits.dimensions.least, max: traits.dimensions.most } : traits.dimensions,
});

const speechOf = ({ traits }: SpeechCapability): NonNullable<ModelCapabilities['speech']> => ({
  default_voice: traits.defaultVoice,
  formats: traits.onlyFormat === null ? SPEECH_FORMATS : [traits.onlyFormat],
  instructions: traits.supportsInstructions,
  max_characters: MAX_SPEECH_CHARACTERS,
});

/** What a form for this model may offer. */
export function modelCapabilities(model: CatalogueModel): ModelCapabilities {
  const { chat, imageGeneration, embeddings, rerank, speech, video } = model;
  const edits = editsOf(model);
  return {
    ...(chat !== undefined && { chat: chatOf(chat) }),
    ...(imageGeneration !== undefined && { images: imagesOf(imageGeneration) }),
    ...(edits !== undefined && { edits }),
    ...(embeddings !== undefined && { embeddings: embeddingsOf(embeddings) }),
    ...(rerank !== undefined && { rerank: { max_documents: rerank.traits.documents } }),
    ...(speech !== undefined && { speech: speechOf(speech) }),
    ...(video !== undefined && { video: { input: video.traits.mode, body: video.traits.bodyFormat } }),
  };
}
