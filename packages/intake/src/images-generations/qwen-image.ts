import { GatewayError, type QwenImageTraits, qwenImageRequest } from '@gateway/contracts';
import { estimatedUsage, parseRequest, type ValidImageRequest } from './valid-image-request.js';

const CONTENT = 'input.messages[0].content';

/** The Qwen-style family: `input` and `parameters`, one image for each request. */
export function validateQwenImage(body: object, modelId: string, { images }: QwenImageTraits): ValidImageRequest {
  const { input } = parseRequest(qwenImageRequest, body);
  const given = input.messages[0]?.content.filter(({ image }) => image !== undefined).length ?? 0;
  if (given < images.least || given > images.most) {
    const expected = images.most === 0 ? 'no image block' : `${images.least} to ${images.most} image blocks`;
    throw new GatewayError('invalid_request', `'${CONTENT}': ${modelId} takes ${expected}, got ${given}.`, {
      param: CONTENT,
    });
  }
  return { worstCase: estimatedUsage({ image: 1 }), isStream: false };
}
