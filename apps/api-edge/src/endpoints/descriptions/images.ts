import type { RouteDescription } from '@gateway/api-description';
import {
  grokImageRequest,
  imageEditJson,
  imageEditRequest,
  interactionRequest,
  openAiImageForm,
  openAiImageRequest,
  qwenImageRequest,
  seedreamRequest,
} from '@gateway/contracts';
import { z } from 'zod';
import { eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const grokBody = grokImageRequest.meta({ id: 'GrokImageRequest', title: 'Grok-type models' });

const binary = z.string().meta({ override: { type: 'string', format: 'binary' } });

const imageList = z
  .looseObject({
    created: z.int().optional(),
    data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })),
    usage: z.looseObject({}).nullish(),
  })
  .meta({ id: 'ImageList' });

const qwenImages = z
  .looseObject({
    request_id: z.string(),
    output: z.looseObject({ choices: z.array(z.looseObject({ finish_reason: z.string() })) }),
    usage: z.looseObject({ image_count: z.int() }),
  })
  .meta({ id: 'QwenImages', description: 'The Qwen-style family. The URL of an image is valid for 24 hours.' });

const interaction = z
  .looseObject({
    id: z.string(),
    status: z.string(),
    steps: z.array(z.looseObject({ type: z.string() })),
  })
  .meta({
    id: 'Interaction',
    description: 'With status `failed` the filter blocked it: `steps` is empty, nothing is charged.',
  });

const event = z.looseObject({ type: z.string().optional() }).meta({ id: 'ImageEvent' });

export const imagesGenerations: RouteDescription = {
  id: 'images.generations',
  summary: 'Generate images',
  description:
    'Each family takes its own body, and every family takes that of the client library `openai`. The schemas are named by family.',
  headers: PAID_HEADERS,
  body: z.union([
    openAiImageForm.meta({ id: 'OpenAiImageForm', title: 'Every family' }),
    openAiImageRequest.meta({ id: 'GpImageRequest', title: 'GP image models' }),
    qwenImageRequest.meta({ id: 'QwenImageRequest', title: 'Qwen-style family' }),
    interactionRequest.meta({ id: 'InteractionRequest', title: 'Multimodal interactions' }),
    seedreamRequest.meta({ id: 'SeedreamRequest', title: 'Seedream-type models' }),
    grokBody,
  ]),
  answers: paidAnswers({
    'application/json': z.union([imageList, qwenImages, interaction]),
    'text/event-stream': eventStream(event, 'Partial images, then the whole.'),
  }),
  errors: RUN_ERRORS,
  dialects: ['a', 'b', 'brief'],
  passesErrors: true,
  examples: {
    qwen: {
      body: {
        model: 'qn-image-2.0',
        input: { messages: [{ role: 'user', content: [{ text: 'A paper boat' }] }] },
        parameters: { size: '1024*1024' },
      },
    },
    seedream: { body: { model: 'seedream-4.5', prompt: 'A paper boat', size: '2K', response_format: 'url' } },
    wrong_size: {
      isWrong: true,
      body: {
        model: 'qn-image-2.0',
        input: { messages: [{ role: 'user', content: [{ text: 'A paper boat' }] }] },
        parameters: { size: '1*1' },
      },
    },
  },
};

const editJson = openAiImageForm
  .omit({ style: true, moderation: true })
  .extend(imageEditJson.shape)
  .meta({ id: 'ImageEditJson', title: 'Every model' });

export const imagesEdits: RouteDescription = {
  id: 'images.edits',
  summary: 'Edit images',
  description:
    'A form with one or more images and, for some models, a mask; or the same as JSON, with images as data URIs. Grok models take xAI’s JSON too, with images by address.',
  headers: PAID_HEADERS,
  body: {
    content: {
      'multipart/form-data': z.strictObject({
        ...imageEditRequest.shape,
        image: binary,
        'image[]': z.array(binary).optional(),
        mask: binary.optional(),
      }),
      'application/json': z.union([editJson, grokBody]),
    },
  },
  answers: paidAnswers({
    'application/json': z.union([imageList, qwenImages, interaction]),
    'text/event-stream': eventStream(event, 'Partial images, then the whole.'),
  }),
  errors: [...RUN_ERRORS, 'invalid_mask'],
  passesErrors: true,
  examples: {
    simple: { body: { model: 'gp-image-1', prompt: 'Make it blue', image: '@image.png', size: '1024x1024' } },
  },
};
