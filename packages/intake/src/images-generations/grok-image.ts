import { GatewayError, type GrokImageTraits, grokImageRequest, grokImageUnits } from '@gateway/contracts';
import { checked } from '../checked.js';
import { unsupportedParameter, unsupportedValue } from '../unsupported.js';
import { estimatedUsage, type ValidImageRequest } from './valid-image-request.js';

/** Grok-type models take the vendor's own body. Throws a 400 that names the field. */
export function validateGrokImage(
  body: Record<string, unknown>,
  modelId: string,
  traits: GrokImageTraits,
): ValidImageRequest {
  if (body.size != null) {
    throw unsupportedParameter('size', "Argument not supported: 'size'. Use 'aspect_ratio' and 'resolution'.");
  }
  const request = checked(grokImageRequest, body);
  const { resolution, quality } = request;
  if (resolution != null && !traits.resolutions.includes(resolution)) {
    throw unsupportedValue('resolution', modelId, resolution, `one of ${traits.resolutions.join(', ')}`);
  }
  if (quality != null && traits.qualities === null) {
    throw unsupportedParameter('quality', `'quality': ${modelId} does not support this field.`);
  }
  if (request.image != null && request.images != null) {
    throw new GatewayError('invalid_request', "'images': expected either 'image' or 'images', not both.", {
      param: 'images',
    });
  }
  return {
    worstCase: estimatedUsage(grokImageUnits(request, traits, request.n ?? 1)),
    isStream: false,
    abortContract: 'completes',
    ...((request.image != null || request.images != null) && { hasReferences: true }),
  };
}
