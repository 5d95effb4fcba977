import type { Unit } from '../usage/usage.js';

/** Upstream protocols of image edits; each has a folder in `packages/upstreams`. */
export const IMAGE_EDIT_PROTOCOL_IDS = ['openai-image-edits'] as const;
export type ImageEditProtocolId = (typeof IMAGE_EDIT_PROTOCOL_IDS)[number];

/** A model's traits for the image edit protocols. */
export interface ImageEditModelTraits {
  /** Accepted sizes besides `auto`. */
  readonly sizes: readonly string[];
  readonly promptCharacters: number;
  /** Limits of the reference images: count, and bytes of each. */
  readonly images: { readonly most: number; readonly bytes: number };
  readonly supportsMask: boolean;
  readonly supportsFidelity: boolean;
  /**
   * For the id of a retired model that this one serves: what is sent in place of the sizes that only the retired one had,
   * and the quality of a client that chose none. URLs of images become data URLs.
   */
  readonly standsIn?: { readonly size: string; readonly quality: 'low' | 'medium' | 'high' };
  /**
   * `tokens`: billed by tokens; the response always holds the image itself.
   * `images`: the legacy family, billed by the image in the unit of its size. It accepts one square PNG and can return URLs.
   */
  readonly billing:
    | {
        readonly by: 'tokens';
        /** Output tokens of an image of 1024x1024. */
        readonly imageTokens: { readonly low: number; readonly medium: number; readonly high: number };
        /** Estimated input tokens of a reference image, if the upstream reports none. */
        readonly referenceTokens: number;
      }
    | { readonly by: 'images'; readonly unitOfSize: Readonly<Record<string, Unit>>; readonly defaultSize: string };
}
