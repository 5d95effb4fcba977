import {
  estimateImageTokens,
  GatewayError,
  type OpenAiImageRequest,
  type OpenAiImageTraits,
  openAiImageRequest,
  PARTIAL_IMAGE_TOKENS,
} from '@gateway/contracts';
import { checked } from '../checked.js';
import { maxTokensOfText } from '../max-tokens.js';
import { unsupportedValue } from '../unsupported.js';
import { estimatedUsage, type ValidImageRequest } from './valid-image-request.js';

const SIZE = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;
const SIDE_STEP = 16;
const LONGEST_SIDE = 3_840;
const WIDEST_RATIO = 3;

/** GP image models take the body of OpenAI's images endpoint. Throws a 400 that names the field. */
export function validateOpenAiImage(body: object, modelId: string, traits: OpenAiImageTraits): ValidImageRequest {
  // These models always return base64, but many clients request it anyway. The worker leaves the field out.
  const { response_format: format = null } = body as { readonly response_format?: unknown };
  if (format !== null && format !== 'b64_json') {
    throw new GatewayError('unknown_parameter', "Unknown parameter: 'response_format'.", { param: 'response_format' });
  }
  const request = checked(openAiImageRequest, body);
  checkSize(request.size, modelId, traits);
  checkFormat(request);
  const images = request.n ?? 1;
  const text = maxTokensOfText(request.prompt);
  const tokens = estimateImageTokens(traits, request.size, request.quality);
  const partials = (request.partial_images ?? 0) * PARTIAL_IMAGE_TOKENS;
  return {
    worstCase: estimatedUsage({ input_token: text, output_image_token: images * (tokens + partials) }, text),
    isStream: request.stream === true,
    // An image that has begun is billed whole.
    abortContract: 'completes',
  };
}

function checkSize(size: string | null | undefined, modelId: string, traits: OpenAiImageTraits): void {
  if (size == null || traits.sizes.includes(size)) return;
  if (traits.supportsCustomSizes && isCustomSize(size)) return;
  const custom = traits.supportsCustomSizes
    ? `, or WIDTHxHEIGHT with sides that are multiples of ${SIDE_STEP}, at most ${LONGEST_SIDE}, and at most ${WIDEST_RATIO}:1`
    : '';
  throw unsupportedValue('size', modelId, size, `one of ${traits.sizes.join(', ')}${custom}`);
}

function isCustomSize(size: string): boolean {
  const match = SIZE.exec(size);
  if (match === null) return false;
  const [long = 0, short = 0] = [Number(match[1]), Number(match[2])].sort((a, b) => b - a);
  return long % SIDE_STEP === 0 && short % SIDE_STEP === 0 && long <= LONGEST_SIDE && long <= short * WIDEST_RATIO;
}

function checkFormat({ background, output_format: format, output_compression: compression }: OpenAiImageRequest): void {
  if (background === 'transparent' && format === 'jpeg') {
    throw new GatewayError(
      'invalid_request',
      "'background': a transparent background needs 'output_format' png or webp.",
      { param: 'background' },
    );
  }
  if (compression != null && compression < 100 && (format == null || format === 'png')) {
    throw new GatewayError(
      'invalid_request',
      "'output_compression': a value below 100 needs 'output_format' jpeg or webp.",
      { param: 'output_compression' },
    );
  }
}
