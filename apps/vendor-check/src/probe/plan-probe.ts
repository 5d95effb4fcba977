import { type CatalogueModel, modelAt } from '@gateway/catalogue';
import type { Vendor } from '@gateway/contracts';
import { chatCall } from './chat-calls.js';
import { embeddingCall, imageCall, speechCall } from './other-calls.js';
import type { ProbeCall } from './probe-call.js';

export interface ProbePlan {
  readonly calls: readonly ProbeCall[];
  /** What the probe does not ask, and why. */
  readonly notAsked: readonly string[];
}

const VIDEOS = 'videos: the cheapest costs more than all other calls together';

/** The cheapest calls that show how a vendor responds, counts and refuses. */
export function planProbe(vendor: Vendor, atMs: number): ProbePlan {
  const seconds = Math.floor(atMs / 1_000);
  const model = (id: string): CatalogueModel => {
    const found = modelAt(id, atMs);
    if (found === undefined) throw new Error(`the probe of ${vendor} names ${id}, which is not served`);
    return found;
  };
  const chats = (id: string) => [chatCall(model(id), false, seconds), chatCall(model(id), true, seconds)];
  const plans: Readonly<Record<Vendor, () => ProbePlan>> = {
    openai: () => ({
      calls: [
        ...chats('gp-5.4-mini'),
        imageCall(
          model('gp-image-2'),
          'openai-images',
          { model: 'gp-image-2', prompt: 'A dot', quality: 'low', size: '1024x1024' },
          { input_token: 50, output_token: 50, output_image_token: 300 },
          seconds,
        ),
      ],
      notAsked: ['pro models: a single answer can cost a dollar', 'image edits: billed like images'],
    }),
    anthropic: () => ({ calls: chats('cl-haiku-5-5'), notAsked: ['web search: a cent for each search'] }),
    gemini: () => ({
      calls: [...chats('gm-3.5-flash-lite'), embeddingCall(model('gm-embedding-2-preview'), seconds)],
      notAsked: ['gm-embedding-001: it reports no count', 'images: the cheapest costs four cents'],
    }),
    dashscope: () => ({
      calls: [
        ...chats('qn3.8-omni-flash'),
        embeddingCall(model('text-embedding-v4'), seconds),
        speechCall(model('qn3-tts-flash'), seconds),
      ],
      notAsked: ['images: the cheapest costs three cents', VIDEOS],
    }),
    voyage: () => ({ calls: [embeddingCall(model('vg-4-lite'), seconds)], notAsked: [] }),
    ark: () => ({
      calls: [
        imageCall(
          model('seedream-4.0'),
          'ark-images',
          { model: 'seedream-4.0', prompt: 'A dot', size: '1K' },
          { image: 1 },
          seconds,
        ),
      ],
      notAsked: [VIDEOS],
    }),
    xai: () => ({
      calls: [
        imageCall(
          model('grok-imagine-image'),
          'xai-images',
          { model: 'grok-imagine-image', prompt: 'A dot', resolution: '1k' },
          { image: 1 },
          seconds,
        ),
      ],
      notAsked: [VIDEOS],
    }),
  };
  return plans[vendor]();
}
