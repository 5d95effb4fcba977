import { invoiceOf } from '../../count/tokens.js';
import { type Fields, textOf } from '../../json/fields.js';
import type { IncomingRequest, Memory, RenderedReply } from '../vendor-emulator.js';
import { newUuid } from '../vendor-ids.js';
import type { ModelFamily } from './model-family.js';
import { nativeHeaders } from './native-errors.js';
import { findImageModel, type ImageModel, type ImageRequest, readImageRequest } from './read-image-request.js';

/** The model whose responses report `task_metric`. */
const REPORTS_TASKS = 'qwen-image-max';

const body = (requestId: string, model: ImageModel, parsed: ImageRequest, urls: readonly string[]): string =>
  JSON.stringify({
    request_id: requestId,
    output: {
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: urls.map((image) => ({ image })) } }],
      ...(model.id === REPORTS_TASKS && { task_metric: { TOTAL: 1, SUCCEEDED: 1, FAILED: 0 } }),
    },
    ...(parsed.directives.hidesUsage !== true && {
      usage: { image_count: urls.length, width: parsed.width, height: parsed.height },
    }),
  });

const handle = (request: Fields, incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const model = findImageModel(textOf(request.model)) as ImageModel;
  const parsed = readImageRequest(request, model, memory);
  const requestId = newUuid();
  incoming.record.upstreamId = requestId;
  const { text, width, height, imageCount } = parsed;
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: nativeHeaders(requestId),
    usage: invoiceOf({ image: imageCount }),
    whole: () => {
      const image = { text, width, height, format: 'png' } as const;
      const urls = Array.from({ length: imageCount }, () => memory.results.put(image, incoming.headers.host));
      return body(requestId, model, parsed, urls);
    },
  };
};

/** Images over the native interface, as addresses. */
export const imageGeneration: ModelFamily = { has: (model) => findImageModel(model) !== undefined, handle };
