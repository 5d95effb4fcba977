import type { ImageEditModelTraits } from '../models/image-edit-model-traits.js';
import { estimateImageTokens, PARTIAL_IMAGE_TOKENS } from './image-tokens.js';
import type { UnitCounts } from './usage.js';

const QUALITY_OF_ALIAS: Readonly<Record<string, string>> = { standard: 'medium', hd: 'high' };

export interface EditSettings {
  readonly size?: string | undefined;
  readonly quality?: string | undefined;
}

/** The size and quality that are sent: the legacy family's names of quality become today's. */
export function editSettings({ standsIn }: ImageEditModelTraits, { size, quality }: EditSettings): EditSettings {
  const today = quality === undefined ? undefined : (QUALITY_OF_ALIAS[quality] ?? quality);
  if (standsIn === undefined) return { size, quality: today };
  return { size: standsIn.size, quality: today === undefined || today === 'auto' ? standsIn.quality : today };
}

export interface EditCounts {
  readonly images: number;
  readonly references: number;
  readonly promptTokens: number;
  /** Unfinished images that a stream shows of each one. */
  readonly partials?: number | undefined;
}

/** Estimates the billed units of an edit: images generated from reference images. Throws a RangeError without a unit. */
export function editUnits(traits: ImageEditModelTraits, request: EditSettings, counts: EditCounts): UnitCounts {
  const { billing } = traits;
  const { size, quality } = editSettings(traits, request);
  if (billing.by === 'images') {
    const unit = billing.unitOfSize[size ?? ''] ?? billing.unitOfSize[billing.defaultSize];
    if (unit === undefined) throw new RangeError(`no price unit for an image of ${billing.defaultSize}`);
    return { [unit]: counts.images };
  }
  return {
    input_token: counts.promptTokens,
    input_image_token: counts.references * billing.referenceTokens,
    output_image_token:
      counts.images * (estimateImageTokens(billing, size, quality) + (counts.partials ?? 0) * PARTIAL_IMAGE_TOKENS),
  };
}
