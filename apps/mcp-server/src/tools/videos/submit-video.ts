import { videoGenerationRequest } from '@gateway/contracts';
import { z } from 'zod';
import { OWN_ARGUMENTS, OWN_HINTS } from '../../own-arguments.js';
import type { JsonObject, PaidTool } from '../../tool.js';
import { dataAnswer, gatewayFacts } from '../content.js';
import { videoBody } from './video-body.js';
import { VIDEO_ENDPOINT, VIDEO_PATH } from './video-record.js';

const input = z.looseObject({
  ...videoGenerationRequest.omit({ wait: true, wait_timeout: true }).shape,
  prompt: z.string().optional(),
  first_frame_url: z.string().optional(),
  reference_urls: z.array(z.string()).optional(),
  input: videoGenerationRequest.shape.input.optional(),
  ...OWN_ARGUMENTS,
});

export const submitVideo: PaidTool = {
  kind: 'paid',
  name: 'submit_video',
  title: 'Submit a video',
  description:
    'Begins to make a video from a text, an image or references, and gives back a task_id at once; making it takes a minute ' +
    'or more. Then call wait_for_video. A model id says what it takes: t2v a text, i2v a first picture, r2v references, others all of these.',
  endpoint: VIDEO_ENDPOINT,
  input,
  hints: {
    ...OWN_HINTS,
    model: 'Which model films.',
    prompt: 'What happens in the video.',
    first_frame_url: 'The address of the picture that it begins with; for i2v, seedance, grok and wn3.0 models.',
    reference_urls: 'Addresses of pictures of who and what should be seen; for r2v, seedance, grok and wn3.0 models.',
    duration: 'Seconds, 5 if left out; the price is for each second.',
    resolution: '480p, 720p (the default) or 1080p, as the model has them; the price depends on it.',
    aspect_ratio: 'Such as 16:9 (the default), 9:16 or 1:1.',
    input:
      "The model's own input, for what the three above cannot say. wn2.7, wn3.0, happyhorse: {prompt, media: [{type, url}]}. " +
      'wn2.5, wn2.6: {prompt, img_url, audio_url, reference_urls}. seedance: {content: […]}. grok: {prompt, image: {url}}.',
    parameters: "The model's own parameters, such as prompt_extend, watermark or seed.",
    webhook_url: 'Is called when the video is done.',
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
    const answer = await gateway.ask({ method: 'POST', path: VIDEO_PATH, json: body });
    return dataAnswer(await answer.json<JsonObject>(), answer.facts);
  },
};
