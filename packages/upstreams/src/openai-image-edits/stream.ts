import { openAiImageReader } from '../image-events/openai-image-events.js';
import type { ImageEditCall, StreamReader } from '../protocol.js';
import { estimateEditUsage } from './usage.js';

export const openReader = (call: ImageEditCall): StreamReader =>
  openAiImageReader({
    kind: 'image_edit',
    images: call.request.n ?? 1,
    estimate: (described) => estimateEditUsage(call, 1, described),
  });
