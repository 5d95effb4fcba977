import {
  grokImageRequest,
  type ImageProtocolId,
  type ImageRequest,
  type ImageTraits,
  interactionRequest,
  openAiImageRequest,
  qwenImageRequest,
  seedreamRequest,
} from '@gateway/contracts';
import type { ImageCall, Target } from '../protocol.js';

interface Known<Id extends ImageProtocolId> {
  readonly parse: (body: object) => ImageRequest<Id>;
  readonly traitsOf: (model: string) => ImageTraits<Id>;
  /** Smallest valid body. */
  readonly small: object;
}

/** Parser, traits and smallest body of each protocol. */
const KNOWN: { readonly [Id in ImageProtocolId]: Known<Id> } = {
  'dashscope-image': {
    parse: (body) => qwenImageRequest.parse(body),
    traitsOf: (model) => ({ images: { least: 0, most: 3 }, supportsSize: model !== 'qn-image-edit' }),
    small: { model: 'qn-image-2.0', input: { messages: [{ role: 'user', content: [{ text: 'x' }] }] } },
  },
  'gemini-interactions': {
    parse: (body) => interactionRequest.parse(body),
    traitsOf: () => ({
      imageTokens: { '512px': 747, '1K': 1_120, '2K': 1_680 },
      aspectRatios: ['1:1'],
      supportsThinkingLevel: true,
      contextTokens: 65_536,
      maxImages: 14,
    }),
    small: { model: 'gm-3.1-flash-image-preview', input: 'x' },
  },
  'openai-images': {
    parse: (body) => openAiImageRequest.parse(body),
    traitsOf: () => ({
      supportsCustomSizes: true,
      sizes: ['auto'],
      imageTokens: { low: 272, medium: 1_056, high: 4_160 },
    }),
    small: { model: 'gp-image-2', prompt: 'x' },
  },
  'ark-images': {
    parse: (body) => seedreamRequest.parse(body),
    traitsOf: () => ({ sizes: ['2K', '4K'], maxImages: 14 }),
    small: { model: 'seedream-4.5', prompt: 'x' },
  },
  'xai-images': {
    parse: (body) => grokImageRequest.parse(body),
    traitsOf: (model) =>
      model.endsWith('2.0')
        ? { resolutions: ['1k', '2k'], qualities: ['low', 'medium'], chargesReferences: true }
        : { resolutions: ['1k', '2k'], qualities: null, chargesReferences: false },
    small: { model: 'grok-imagine-image', prompt: 'x' },
  },
};

const UPSTREAM_MODELS: Readonly<Record<string, string>> = {
  'gm-3.1-flash-image-preview': 'gemini-3.1-flash-image',
  'gm-2.5-flash-image': 'gemini-2.5-flash-image',
  'seedream-4.5': 'seedream-4-5-251128',
};

const upstreamNameOf = (model: string): string =>
  UPSTREAM_MODELS[model] ?? model.replace(/^qn-/, 'qwen-').replace(/^gp-/, 'gpt-');

/** Builds a call as the edge does. */
export function imageCallOf<Id extends ImageProtocolId>(id: Id, body: object): ImageCall<Id> {
  const known = KNOWN[id];
  const request = known.parse(body);
  return {
    request,
    publicModel: request.model,
    traits: known.traitsOf(request.model),
    requestId: 'req_abcdefghijklmnopqrstuvwxyz',
    createdSeconds: 1_795_168_800,
  };
}

export const smallImageCall = <Id extends ImageProtocolId>(id: Id): ImageCall<Id> => imageCallOf(id, KNOWN[id].small);

export const imageTargetOf = (model: string): Target => ({
  baseUrl: 'https://upstream.example',
  credential: 'secret-credential',
  upstreamModel: upstreamNameOf(model),
});
