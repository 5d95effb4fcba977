import {
  GatewayError,
  type InteractionRequest,
  type InteractionTraits,
  interactionRequest,
  mostInteractionTokens,
} from '@gateway/contracts';
import { isSearchTool } from '@gateway/upstreams';
import { checked } from '../checked.js';
import { maxTokensOf } from '../max-tokens.js';
import { unsupportedParameter, unsupportedValue } from '../unsupported.js';
import { estimatedUsage, type ValidImageRequest } from './valid-image-request.js';

const TOKENS_OF_REFERENCE = 1_120;

/** Multimodal interaction: one synchronous interaction generates one image. Throws a 400 that names the field. */
export function validateInteraction(body: object, modelId: string, traits: InteractionTraits): ValidImageRequest {
  const request = checked(interactionRequest, body);
  checkFormat(request, modelId, traits);
  const level = request.generation_config?.thinking_level;
  if (level !== undefined && !traits.supportsThinkingLevel) {
    const param = 'generation_config.thinking_level';
    throw unsupportedParameter(param, `'${param}': ${modelId} does not support thinking levels.`);
  }
  const references = imagesIn(request);
  if (references > traits.maxImages) {
    throw new GatewayError(
      'invalid_request',
      `'input': ${modelId} supports at most ${traits.maxImages} reference images, got ${references}.`,
      { param: 'input' },
    );
  }
  const changes = { filled: {}, dropped: checkTools(request, modelId) };
  const worstCase = worstCaseOfInteraction(request, traits, references);
  return { worstCase, isStream: false, abortContract: 'completes', changes };
}

/** The client runs functions. Fetched pages are tokens, which the usage counts. */
const UNCHARGED_TOOLS: readonly string[] = ['function', 'url_context'];

/** Returns the search tools, which the entry filter removes. Throws a 400 for other tools of the vendor. */
function checkTools({ tools = [] }: InteractionRequest, modelId: string): readonly string[] {
  return tools.flatMap((tool, index) => {
    if (isSearchTool(tool)) return [`tools[${index}]`];
    if (UNCHARGED_TOOLS.includes(tool.type ?? '')) return [];
    const expected = `one of ${UNCHARGED_TOOLS.join(', ')}`;
    throw unsupportedValue(`tools[${index}].type`, modelId, tool.type ?? null, expected);
  });
}

function checkFormat(
  { response_format: format }: InteractionRequest,
  modelId: string,
  traits: InteractionTraits,
): void {
  const { image_size: size, aspect_ratio: ratio } = format ?? {};
  if (size !== undefined && traits.imageTokens[size] === undefined) {
    throw unsupportedValue(
      'response_format.image_size',
      modelId,
      size,
      `one of ${Object.keys(traits.imageTokens).join(', ')}`,
    );
  }
  if (ratio !== undefined && !traits.aspectRatios.includes(ratio)) {
    throw unsupportedValue('response_format.aspect_ratio', modelId, ratio, `one of ${traits.aspectRatios.join(', ')}`);
  }
}

const imagesIn = ({ input }: InteractionRequest): number =>
  typeof input === 'string' ? 0 : input.filter(({ type }) => type === 'image').length;

function worstCaseOfInteraction(request: InteractionRequest, traits: InteractionTraits, references: number) {
  const { input, system_instruction: system = '' } = request;
  const output = mostInteractionTokens(request, traits);
  const texts = typeof input === 'string' ? [input] : input.map((block) => (block.type === 'text' ? block.text : ''));
  const images = references * TOKENS_OF_REFERENCE;
  const written = maxTokensOf([system, ...texts]);
  // A stored conversation is part of the prompt, and only the upstream knows its length.
  const text =
    request.previous_interaction_id === undefined ? written : Math.max(written, traits.contextTokens - images);
  return estimatedUsage(
    {
      input_token: text,
      input_image_token: images,
      output_token: output.text,
      output_image_token: output.image,
    },
    text + images,
  );
}
