import { videoGenerationRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { JsonObject, PaidTool } from '../../tool.js';
import { CALL_OPTION_HINTS, CALL_OPTIONS } from '../call-options.js';
import { dataResult, gatewayFacts } from '../content.js';
import { videoBody } from './video-body.js';
import { VIDEO_ENDPOINT, VIDEO_PATH } from './video-record.js';

const input = z.looseObject({
  ...videoGenerationRequest.omit({ wait: true, wait_timeout: true }).shape,
  prompt: z.string().optional(),
  first_frame_url: z.string().optional(),
  reference_urls: z.array(z.string()).optional(),
  input: videoGenerationRequest.shape.input.optional(),
  ...CALL_OPTIONS,
});

export const submitVideo: PaidTool = {
  kind: 'paid',
  name: 'submit_video',
  title: 'Submit a video',
  description:
    'Starts a video from a text, an image or references and returns a task_id at once; the video takes a minute or more. ' +
    'Then call wait_for_video. The model id names its input: t2v a text, i2v a first image, r2v references, others any of these.',
  endpoint: VIDEO_ENDPOINT,
  input,
  hints: {
    ...CALL_OPTION_HINTS,
    model: 'The model to use.',
    prompt: 'What happens in the video.',
    first_frame_url: 'Address of the first image; for i2v, seedance, grok and wn3.0 models.',
    reference_urls: 'Addresses of images of the people and things to show; for r2v, seedance, grok and wn3.0 models.',
    duration: 'Seconds, 5 by default; the price is per second.',
    resolution: '480p, 720p (the default) or 1080p, depending on the model; the price depends on it.',
    aspect_ratio: 'Such as 16:9 (the default), 9:16 or 1:1.',
    input:
      "The model's own input, for everything that the three arguments above cannot express. wn2.7, wn3.0, happyhorse: {prompt, media: [{type, url}]}. " +
      'wn2.5, wn2.6: {prompt, img_url, audio_url, reference_urls}. seedance: {content: […]}. grok: {prompt, image: {url}}.',
    parameters: "The model's own parameters, such as prompt_extend, watermark or seed.",
    webhook_url: 'This URL is called when the video has ended.',
  },
  output: z.looseObject({
    id: z.string(),
    task_id: z.string(),
    model: z.string(),
    status: z.string(),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: videoBody,

  async run(body, { gateway }) {
    const response = await gateway.request({ method: 'POST', path: VIDEO_PATH, json: body });
    return dataResult(await response.json<JsonObject>(), response.facts);
  },
};
