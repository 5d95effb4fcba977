import type { Unit } from '../usage/usage.js';

export const IMAGE_EDIT_PROTOCOL_IDS = ['openai-image-edits'] as const;
export type ImageEditProtocolId = (typeof IMAGE_EDIT_PROTOCOL_IDS)[number];

export interface ImageEditModelTraits {
  /** Besides `auto`. */
  readonly sizes: readonly string[];
  readonly promptCharacters: number;
  readonly images: { readonly most: number; readonly bytes: number };
  readonly supportsMask: boolean;
  readonly supportsFidelity: boolean;
  /**
   * `tokens`: billed by them, with the image always in the answer. `images`: the legacy family, which takes one square
   * PNG, gives addresses too, and is billed by the image in the unit of its size.
   */
  readonly billing:
    | {
        readonly by: 'tokens';
        /** Output tokens of an image of 1024x1024. */
        readonly imageTokens: { readonly low: number; readonly medium: number; readonly high: number };
        /** Input tokens that a reference is estimated at, where the upstream says nothing. */
        readonly referenceTokens: number;
      }
    | { readonly by: 'images'; readonly unitOfSize: Readonly<Record<string, Unit>>; readonly defaultSize: string };
}
