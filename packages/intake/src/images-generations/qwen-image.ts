import { GatewayError, type QwenImageTraits, qwenImageRequest } from '@gateway/contracts';
import { checked } from '../checked.js';
import { estimatedUsage, type ValidImageRequest } from './valid-image-request.js';

const CONTENT = 'input.messages[0].content';

/** Qwen-style models take `input` and `parameters`, and make one image per request. Throws a 400 that names the field. */
export function validateQwenImage(body: object, modelId: string, { images }: QwenImageTraits): ValidImageRequest {
  const { input } = checked(qwenImageRequest, body);
  const imageCount = input.messages[0]?.content.filter(({ image }) => image !== undefined).length ?? 0;
  if (imageCount < images.least || imageCount > images.most) {
    const expected = images.most === 0 ? 'no image block' : `${images.least} to ${images.most} image blocks`;
    throw new GatewayError('invalid_request', `'${CONTENT}': ${modelId} supports ${expected}, got ${imageCount}.`, {
      param: CONTENT,
    });
  }
  return { worstCase: estimatedUsage({ image: 1 }), isStream: false, abortContract: 'completes' };
}
