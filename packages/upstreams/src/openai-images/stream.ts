import { openAiImageReader } from '../image-events/openai-image-events.js';
import type { ImageCall, StreamReader } from '../protocol.js';
import { estimateImageUsage } from './usage.js';

export const openReader = (call: ImageCall<'openai-images'>): StreamReader =>
  openAiImageReader({
    kind: 'image_generation',
    images: call.request.n ?? 1,
    estimate: (described) => estimateImageUsage(call, 1, described),
  });
