import { editUnits, estimateTokens, textSize, type Usage } from '@gateway/contracts';
import type { DescribedImage } from '../image-events/openai-image-events.js';
import type { ImageEditCall } from '../protocol.js';

/** Exact for models that are billed by images. Others are estimated by size and quality, if the upstream sends no counts. */
export function estimateEditUsage(
  { request, traits }: ImageEditCall,
  images: number,
  described: DescribedImage,
): Usage {
  const isBilledByImage = traits.billing.by === 'images';
  const promptTokens = estimateTokens(textSize(request.prompt));
  const references = request.files.filter(({ field }) => field === 'image').length;
  const settings = { size: described.size ?? request.size, quality: described.quality ?? request.quality };
  return {
    units: editUnits(traits, settings, { images, references, promptTokens }),
    inputTokensTotal: isBilledByImage ? 0 : promptTokens,
    isEstimated: !isBilledByImage,
  };
}
