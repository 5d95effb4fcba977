import {
  type Changes,
  changesBetween,
  type InteractionRequest,
  type InteractionTraits,
  mostInteractionTokens,
} from '@gateway/contracts';
import type { ImageCall, Target, WireRequest } from '../protocol.js';
import { isSearchTool } from './tools.js';
import { PATH } from './wire.js';

/** Public default of a request without a response format. */
const DEFAULT_FORMAT = { type: 'image', image_size: '1K', aspect_ratio: '1:1' } as const;

function responseFormatOf({ response_format: format = DEFAULT_FORMAT }: InteractionRequest): object {
  return format.image_size === '512px' ? { ...format, image_size: '512' } : format;
}

/** The cap that the hold covers is sent, so that text beside the image cannot cost more. */
export function buildRequest({ request, traits }: ImageCall<'gemini-interactions'>, target: Target): WireRequest {
  const { tools: requested, ...rest } = request;
  const tools = requested?.filter((tool) => !isSearchTool(tool)) ?? [];
  return {
    method: 'POST',
    url: `${target.baseUrl}${PATH}`,
    headers: {
      'x-goog-api-key': target.credential,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({
      ...rest,
      model: target.upstreamModel,
      response_format: responseFormatOf(request),
      generation_config: {
        ...request.generation_config,
        max_output_tokens: mostInteractionTokens(request, traits).cap,
      },
      ...(tools.length > 0 && { tools }),
    }),
    changes: changesOf(request, traits),
  };
}

/** The default size and shape of this interface are written, because the vendor's differ. */
function changesOf(request: InteractionRequest, traits: InteractionTraits): Changes {
  const { response_format: format, generation_config: config } = request;
  const sent = format === undefined ? DEFAULT_FORMAT : { image_size: format.image_size };
  return changesBetween(
    {
      'response_format.image_size': format?.image_size,
      'generation_config.max_output_tokens': config?.max_output_tokens,
    },
    {
      'response_format.image_size': sent.image_size === '512px' ? '512' : sent.image_size,
      'generation_config.max_output_tokens': mostInteractionTokens(request, traits).cap,
      ...('aspect_ratio' in sent && { 'response_format.aspect_ratio': sent.aspect_ratio }),
    },
  );
}
