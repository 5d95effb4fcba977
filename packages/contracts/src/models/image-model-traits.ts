import type { GrokImageRequest } from '../api/images-grok.js';
import type { InteractionAspectRatio, InteractionImageSize, InteractionRequest } from '../api/images-interaction.js';
import type { OpenAiImageRequest } from '../api/images-openai.js';
import type { QwenImageRequest } from '../api/images-qwen.js';
import type { SeedreamRequest } from '../api/images-seedream.js';

export interface QwenImageTraits {
  /** Image blocks in a request. */
  readonly images: { readonly least: number; readonly most: number };
  /** False: the model keeps the shape of its last image, and its upstream refuses a size. */
  readonly supportsSize: boolean;
}

export interface InteractionTraits {
  /** Output tokens that an image of each size is, which are also the sizes that the model takes. */
  readonly imageTokens: Readonly<Partial<Record<InteractionImageSize, number>>>;
  readonly aspectRatios: readonly InteractionAspectRatio[];
  readonly supportsThinkingLevel: boolean;
  /** Reference images in one request. */
  readonly maxImages: number;
}

export interface OpenAiImageTraits {
  /** True: any `WIDTHxHEIGHT` besides `sizes`, within the interface's bounds. */
  readonly supportsCustomSizes: boolean;
  readonly sizes: readonly string[];
  /** Output tokens of an image of 1024x1024, used where the upstream says nothing; another area has its share. */
  readonly imageTokens: { readonly low: number; readonly medium: number; readonly high: number };
}

export interface SeedreamTraits {
  /** The keywords, besides `WIDTHxHEIGHT`. */
  readonly sizes: readonly string[];
  readonly maxImages: number;
}

export interface GrokImageTraits {
  readonly resolutions: readonly string[];
  /** Null: the model takes no quality, and all its images have one price. */
  readonly qualities: readonly string[] | null;
  readonly chargesReferences: boolean;
}

/** The wires that images are generated on, with what a client sends for each and what a protocol must know of its models. */
export interface ImageFamilies {
  'dashscope-image': { request: QwenImageRequest; traits: QwenImageTraits };
  'gemini-interactions': { request: InteractionRequest; traits: InteractionTraits };
  'openai-images': { request: OpenAiImageRequest; traits: OpenAiImageTraits };
  'ark-images': { request: SeedreamRequest; traits: SeedreamTraits };
  'xai-images': { request: GrokImageRequest; traits: GrokImageTraits };
}

export type ImageProtocolId = keyof ImageFamilies;
export type ImageRequest<Id extends ImageProtocolId> = ImageFamilies[Id]['request'];
export type ImageTraits<Id extends ImageProtocolId> = ImageFamilies[Id]['traits'];
