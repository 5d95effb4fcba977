import { invoiceOf } from '../../count/tokens.js';
import type { Fields } from '../../json/fields.js';
import { textOf } from '../../json/fields.js';
import type { MadeReply, Memory, Received } from '../persona.js';
import { newUuid } from '../vendor-ids.js';
import { findImageModel, type ImageModel } from './image-models.js';
import type { MultimodalModels } from './multimodal-models.js';
import { nativeHeaders } from './native-errors.js';
import { type ImageTask, readImageTask } from './read-image-task.js';

/** Models of which answers tell how many tasks there were. */
const TELLS_TASKS = 'qwen-image-max';

const body = (requestId: string, model: ImageModel, task: ImageTask, urls: readonly string[]): string =>
  JSON.stringify({
    request_id: requestId,
    output: {
      choices: [
        {
          finish_reason: 'stop',
          message: { role: 'assistant', content: urls.map((image) => ({ image })) },
        },
      ],
      ...(model.id === TELLS_TASKS && { task_metric: { TOTAL: 1, SUCCEEDED: 1, FAILED: 0 } }),
    },
    ...(task.directives.hidesUsage !== true && {
      usage: { image_count: urls.length, width: task.width, height: task.height },
    }),
  });

const answer = (request: Fields, received: Received, memory: Memory): MadeReply => {
  const model = findImageModel(textOf(request.model)) as ImageModel;
  const task = readImageTask(request, model, memory);
  const requestId = newUuid();
  received.note.upstreamId = requestId;
  const { text, width, height, pictures } = task;
  return {
    kind: 'made',
    directives: task.directives,
    headers: nativeHeaders(requestId),
    usage: invoiceOf({ image: pictures }),
    whole: () => {
      const picture = { text, width, height, format: 'png' } as const;
      const urls = Array.from({ length: pictures }, () => memory.results.put(picture, received.headers.host));
      return body(requestId, model, task, urls);
    },
  };
};

/** Pictures over the native interface, as addresses that live for a day. */
export const imageGeneration: MultimodalModels = { has: (model) => findImageModel(model) !== undefined, answer };
