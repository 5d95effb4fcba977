import {
  GatewayError,
  MAX_SEEDREAM_IMAGES,
  type SeedreamRequest,
  type SeedreamTraits,
  seedreamRequest,
} from '@gateway/contracts';
import { checked } from '../checked.js';
import { unsupportedParameter, unsupportedValue } from '../unsupported.js';
import { estimatedUsage, type ValidImageRequest } from './valid-image-request.js';

const SIZE = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;
const WIDEST_RATIO = 16;
const MAX_AREA = 4_096 * 4_096;

/** Seedream-type models take the vendor's own body. Throws a 400 that names the field. */
export function validateSeedream(
  body: Record<string, unknown>,
  modelId: string,
  traits: SeedreamTraits,
): ValidImageRequest {
  const request = checked(seedreamRequest, body);
  if (body.quality != null)
    throw unsupportedParameter('quality', `'quality': ${modelId} does not support this field. Set 'size' instead.`);
  // Searches are priced separately, and the catalogue has no price for them.
  if (body.tools != null) throw unsupportedParameter('tools', `'tools': ${modelId} is served without tools.`);
  checkSize(request.size, modelId, traits);
  const isStream = request.stream === true;
  return {
    worstCase: estimatedUsage({ image: maxImages(request, traits) }),
    isStream,
    // The vendor bills each finished image, and the stream shows each.
    abortContract: isStream ? 'stops' : 'completes',
  };
}

function checkSize(size: string | null | undefined, modelId: string, traits: SeedreamTraits): void {
  if (size == null || traits.sizes.includes(size)) return;
  const [, width, height] = (SIZE.exec(size) ?? []).map(Number);
  const isCustom =
    width !== undefined &&
    height !== undefined &&
    width * height <= MAX_AREA &&
    Math.max(width, height) <= WIDEST_RATIO * Math.min(width, height);
  if (isCustom) return;
  const custom = `WIDTHxHEIGHT of at most ${MAX_AREA} pixels and ${WIDEST_RATIO}:1`;
  throw unsupportedValue('size', modelId, size, `${traits.sizes.join(', ')}, or ${custom}`);
}

/** References and generated images share one limit. */
function maxImages(request: SeedreamRequest, traits: SeedreamTraits): number {
  const references = Array.isArray(request.image) ? request.image.length : request.image == null ? 0 : 1;
  if (references > traits.maxImages) {
    throw new GatewayError('invalid_request', `'image': at most ${traits.maxImages} images, got ${references}.`, {
      param: 'image',
    });
  }
  if (request.sequential_image_generation !== 'auto') return 1;
  const remaining = MAX_SEEDREAM_IMAGES - references;
  const requested = request.sequential_image_generation_options?.max_images;
  if (requested !== undefined && requested > remaining) {
    const param = 'sequential_image_generation_options.max_images';
    throw new GatewayError(
      'invalid_request',
      `'${param}': references and generated images are at most ${MAX_SEEDREAM_IMAGES} together, so at most ${remaining}.`,
      { param },
    );
  }
  return requested ?? remaining;
}
