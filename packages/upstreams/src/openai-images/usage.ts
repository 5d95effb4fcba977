import { estimateImageTokens, estimateTokens, textSize, type Usage } from '@gateway/contracts';
import type { DescribedImage } from '../image-events/openai-image-events.js';
import type { ImageCall } from '../protocol.js';

type Call = ImageCall<'openai-images'>;

/** Estimates usage from the documented token table, by size and quality, if the upstream sends no counts. */
export function estimateImageUsage({ request, traits }: Call, images: number, described: DescribedImage): Usage {
  const input = estimateTokens(textSize(request.prompt));
  const tokens = estimateImageTokens(traits, described.size ?? request.size, described.quality ?? request.quality);
  return {
    units: { input_token: input, output_image_token: images * tokens },
    inputTokensTotal: input,
    isEstimated: true,
  };
}
