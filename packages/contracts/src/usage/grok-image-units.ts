import type { GrokImageRequest } from '../api/images-grok.js';
import type { GrokImageTraits } from '../models/image-model-traits.js';
import type { Unit, UnitCounts } from './usage.js';

const TIERS = {
  '1k': { low: 'image_1k_low', medium: 'image_1k_medium' },
  '1.5k': { low: 'image_1_5k_low', medium: 'image_1_5k_medium' },
  '2k': { low: 'image_2k_low', medium: 'image_2k_medium' },
} as const satisfies Record<string, Record<string, Unit>>;

/** Billed units of a Grok-type model's images, with reference images if the model charges for them. */
export function grokImageUnits(
  request: Pick<GrokImageRequest, 'resolution' | 'quality' | 'image' | 'images'>,
  traits: GrokImageTraits,
  images: number,
): UnitCounts {
  const unit = traits.qualities === null ? 'image' : TIERS[request.resolution ?? '1k'][request.quality ?? 'medium'];
  const references = request.images?.length ?? (request.image == null ? 0 : 1);
  return { [unit]: images, ...(traits.chargesReferences && references > 0 && { input_image: references }) };
}
