import { GatewayError, QWEN_IMAGE_SIZES, type QwenImageSize } from '@gateway/contracts';
import { toDataUri } from '../media/data-uri.js';
import type { ImageBody } from '../openai-image-body/image-body.js';
import { nearestSize } from '../openai-image-body/sizes.js';
import { imageReply } from './wire.js';

/** OpenAI's body for the Qwen-style family: one image for each call, as a URL. */
export const imageBody: ImageBody<'dashscope-image'> = {
  isForm: ({ prompt, input }) => prompt !== undefined && input === undefined,
  supports: { qualities: [], outputFormats: ['png'], streams: false, several: false },
  toRequest({ model, prompt, size: asked, others }, references, { images, supportsSize }) {
    if (references.length < images.least) {
      const message = `'image': ${model} edits images. Send 1 to ${images.most} of them to /v1/images/edits.`;
      throw new GatewayError('invalid_request', message, { param: 'image' });
    }
    const content = [...references.map((reference) => ({ image: toDataUri(reference) })), { text: prompt }];
    const size: QwenImageSize | undefined =
      asked === undefined || !supportsSize ? undefined : nearestSize(asked, QWEN_IMAGE_SIZES);
    return {
      request: {
        ...others,
        model,
        input: { messages: [{ role: 'user', content }] },
        ...(size !== undefined && { parameters: { size } }),
      },
      ...(size !== undefined && { sent: { size: size.replace('*', 'x') } }),
      ...(asked !== undefined && !supportsSize && { dropped: ['size'] }),
    };
  },
  imagesOf(response) {
    const parsed = imageReply.safeParse(response);
    const choices = parsed.success ? parsed.data.output.choices : [];
    return choices.flatMap(({ message }) => message.content.flatMap(({ image }) => (image ? [{ url: image }] : [])));
  },
};
