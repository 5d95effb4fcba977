import {
  GatewayError,
  MAX_SEEDREAM_IMAGES,
  type SeedreamRequest,
  type SeedreamTraits,
  seedreamRequest,
} from '@gateway/contracts';
import { unsupportedParameter, unsupportedValue } from '../unsupported.js';
import { estimatedUsage, parseRequest, type ValidImageRequest } from './valid-image-request.js';

const SIZE = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;
const WIDEST_RATIO = 16;
const AREA_AT_MOST = 4_096 * 4_096;

/** Seedream-type models: the vendor's own body. */
export function validateSeedream(
  body: Record<string, unknown>,
  modelId: string,
  traits: SeedreamTraits,
): ValidImageRequest {
  const request = parseRequest(seedreamRequest, body);
  if (body.quality != null) throw unsupportedParameter('quality', `'quality': ${modelId} has none. Choose a 'size'.`);
  // A search has a price of its own, which is not in the catalogue.
  if (body.tools != null) throw unsupportedParameter('tools', `'tools': ${modelId} is served without tools.`);
  checkSize(request.size, modelId, traits);
  return { worstCase: estimatedUsage({ image: maxImages(request, traits) }), isStream: request.stream === true };
}

function checkSize(size: string | null | undefined, modelId: string, traits: SeedreamTraits): void {
  if (size == null || traits.sizes.includes(size)) return;
  const [, width, height] = (SIZE.exec(size) ?? []).map(Number);
  const isFree =
    width !== undefined &&
    height !== undefined &&
    width * height <= AREA_AT_MOST &&
    Math.max(width, height) <= WIDEST_RATIO * Math.min(width, height);
  if (isFree) return;
  const free = `WIDTHxHEIGHT of at most ${AREA_AT_MOST} pixels and ${WIDEST_RATIO}:1`;
  throw unsupportedValue('size', modelId, size, `${traits.sizes.join(', ')}, or ${free}`);
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
  const left = MAX_SEEDREAM_IMAGES - references;
  const asked = request.sequential_image_generation_options?.max_images;
  if (asked !== undefined && asked > left) {
    const param = 'sequential_image_generation_options.max_images';
    throw new GatewayError(
      'invalid_request',
      `'${param}': references and generated images are at most ${MAX_SEEDREAM_IMAGES} together, so at most ${left}.`,
      { param },
    );
  }
  return asked ?? left;
}
