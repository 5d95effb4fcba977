import {
  ENDPOINTS,
  grokImageRequest,
  interactionRequest,
  openAiImageRequest,
  QWEN_IMAGE_SIZES,
  qwenImageRequest,
  seedreamRequest,
} from '@gateway/contracts';
import { z } from 'zod';
import type { JsonObject, LaterCall, PaidTool } from '../../tool.js';
import { LATER_OPTION_HINTS, LATER_OPTIONS } from '../call-options.js';
import { gatewayFacts } from '../content.js';
import { runNow } from '../later/run-later.js';
import { imageBody } from './image-body.js';
import { imageResult } from './image-result.js';

const ENDPOINT = 'images.generations';
const { path } = ENDPOINTS[ENDPOINT];

const gp = openAiImageRequest.shape;
const seed = seedreamRequest.shape;
const grok = grokImageRequest.shape;
const gm = interactionRequest.shape;
const qwen = qwenImageRequest.shape;

/** One flat object: many model APIs refuse a union at the top. Each hint names the families of its argument. */
const input = z.looseObject({
  model: z.string(),
  prompt: z.string().min(1).optional(),
  reference_images: z.array(z.string()).optional(),
  size: z.string().optional(),
  aspect_ratio: z.union([gm.response_format.unwrap().shape.aspect_ratio, grok.aspect_ratio]),
  n: gp.n,
  seed: seed.seed,
  quality: gp.quality,
  background: gp.background,
  output_format: gp.output_format,
  output_compression: gp.output_compression,
  moderation: gp.moderation,
  watermark: seed.watermark,
  sequential_image_generation: seed.sequential_image_generation,
  sequential_image_generation_options: seed.sequential_image_generation_options,
  negative_prompt: z.string().optional(),
  prompt_extend: z.boolean().optional(),
  system_instruction: gm.system_instruction,
  generation_config: gm.generation_config,
  previous_interaction_id: gm.previous_interaction_id,
  response_format: z.union([gm.response_format.unwrap(), z.enum(['url', 'b64_json'])]).optional(),
  store: gm.store,
  input: z.union([gm.input, qwen.input]).optional(),
  parameters: qwen.parameters,
  ...LATER_OPTIONS,
});

const later: LaterCall = {
  requestOf: (body) => ({ method: 'POST', path, json: body }),
  resultOf: async (response) => imageResult(await response.json<JsonObject>(), response.facts),
};

export const generateImage: PaidTool = {
  kind: 'paid',
  name: 'generate_image',
  title: 'Generate images',
  description:
    'Generates images from a text, and from reference images where the model supports them. A model and a prompt are ' +
    'enough; other arguments belong to some families only, as their descriptions say (the family is the start of the ' +
    "model's id). To change an existing image with a gp or de model use edit_image.",
  endpoint: ENDPOINT,
  input,
  hints: {
    ...LATER_OPTION_HINTS,
    model: 'The model to use.',
    prompt: 'What the image should show.',
    reference_images:
      'Images to start from. qn: https addresses. gm: data URIs (data:image/png;base64,…). seedream, grok: either. gp: none.',
    size: `gp: 1024x1024, 1536x1024, 1024x1536 (gp-image-2: any multiple of 16 up to 3840). qn: ${QWEN_IMAGE_SIZES.join(', ')}. gm: 512px, 1K, 2K, 4K. seedream: 2K, 4K or 2048x2048. grok: 1k, 1.5k, 2k.`,
    aspect_ratio: 'gm, grok only, such as 16:9.',
    n: 'gp, grok: number of images, 1 to 10. qn, gm, seedream: 1; a series of seedream has sequential_image_generation.',
    seed: 'qn, seedream: the same prompt and seed give similar images.',
    quality: 'gp: low, medium, high. grok: low, medium.',
    background: 'gp only; transparent needs output_format png or webp.',
    output_format: 'gp only.',
    output_compression: 'gp only, for jpeg and webp: 0 to 100.',
    moderation: 'gp only.',
    watermark: 'qn, seedream: whether the image gets a watermark.',
    sequential_image_generation: 'seedream only: auto makes a series of related images.',
    sequential_image_generation_options: 'seedream only: max_images of the series.',
    negative_prompt: 'qn only: what the image should not show.',
    prompt_extend: 'qn only: lets the model extend the prompt (true by default).',
    system_instruction: 'gm only: how the model should behave.',
    generation_config: 'gm only: thinking_level (minimal, high) and temperature.',
    previous_interaction_id: 'gm only: the id of an earlier result, to continue from its images.',
    response_format:
      'gm: an object with type image, image_size and aspect_ratio. seedream, grok: url returns an address instead of the image data.',
    store: 'gm only: false stores no history, so that no later call can continue from the result.',
    input: "qn, gm only, instead of prompt and reference_images: the family's own input.",
    parameters: "qn only: the family's own parameters.",
  },
  output: z.looseObject({ gateway: gatewayFacts }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: imageBody,

  later,
  run: (body, call) => runNow(later, body, call),
};
