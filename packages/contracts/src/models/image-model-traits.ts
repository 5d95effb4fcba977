import type { GrokImageRequest } from '../api/images-grok.js';
import type { InteractionAspectRatio, InteractionImageSize, InteractionRequest } from '../api/images-interaction.js';
import type { OpenAiImageRequest } from '../api/images-openai.js';
import type { QwenImageRequest } from '../api/images-qwen.js';
import type { SeedreamRequest } from '../api/images-seedream.js';

export interface QwenImageTraits {
  /** Accepted number of image blocks in a request. */
  readonly images: { readonly least: number; readonly most: number };
  /** False: the output has the shape of the last input image, and the upstream rejects a size. */
  readonly supportsSize: boolean;
}

export interface InteractionTraits {
  /** Output tokens of an image of each accepted size. */
  readonly imageTokens: Readonly<Partial<Record<InteractionImageSize, number>>>;
  readonly aspectRatios: readonly InteractionAspectRatio[];
  readonly supportsThinkingLevel: boolean;
  /** Maximum number of reference images. */
  readonly maxImages: number;
  /** The longest prompt, with the history of a stored conversation. */
  readonly contextTokens: number;
}

export interface OpenAiImageTraits {
  /** True: accepts any `WIDTHxHEIGHT` within the interface's bounds, besides `sizes`. */
  readonly supportsCustomSizes: boolean;
  readonly sizes: readonly string[];
  /** Output tokens of a 1024x1024 image, for estimates; other sizes scale by area. */
  readonly imageTokens: { readonly low: number; readonly medium: number; readonly high: number };
}

export interface SeedreamTraits {
  /** Accepted keywords, besides `WIDTHxHEIGHT`. */
  readonly sizes: readonly string[];
  readonly maxImages: number;
}

export interface GrokImageTraits {
  readonly resolutions: readonly string[];
  /** Null: the model has no quality setting, and one price for all images. */
  readonly qualities: readonly string[] | null;
  readonly chargesReferences: boolean;
}

/** Upstream protocols of images: the client's request, and what the protocol needs to know about a model. */
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
