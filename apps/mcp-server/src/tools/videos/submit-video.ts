import { z } from 'zod';
import { OWN_ARGUMENTS, OWN_HINTS } from '../../own-arguments.js';
import type { JsonObject, PaidTool } from '../../tool.js';
import { dataAnswer, gatewayFacts } from '../content.js';
import { VIDEO_ENDPOINT, VIDEO_PATH } from './video-record.js';

const input = z.looseObject({
  model: z.string(),
  duration: z.int().min(1),
  resolution: z.string(),
  aspect_ratio: z.string().optional(),
  input: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()).optional(),
  webhook_url: z.url().optional(),
  ...OWN_ARGUMENTS,
});

export const submitVideo: PaidTool = {
  kind: 'paid',
  name: 'submit_video',
  title: 'Submit a video',
  description:
    'Begins to make a video from a text, an image or references, and gives back a task_id at once; making it takes a minute ' +
    'or more. Then call wait_for_video. A model id says what it takes: t2v a text, i2v a first image, r2v references.',
  endpoint: VIDEO_ENDPOINT,
  input,
  hints: {
    ...OWN_HINTS,
    model: 'Which model films.',
    duration: 'Seconds, usually 5 or 10; the price is for each second.',
    resolution: '480p, 720p or 1080p, as the model has them; the price depends on it.',
    aspect_ratio: 'Such as 16:9 (the default), 9:16 or 1:1.',
    input:
      "The model's own input. wn2.7 and happyhorse: {prompt, media: [{type: first_frame | reference_image | reference_video | driving_audio, url}]}. " +
      'wn2.5 and wn2.6: {prompt}, i2v also img_url and audio_url, r2v also reference_urls. ' +
      'seedance: {content: [{type: text, text}, {type: image_url, image_url: {url}, role}]}. grok: {prompt, image: {url}}.',
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

  // Waiting is a tool of its own, with progress.
  bodyOf({ wait: _, wait_timeout: __, ...body }) {
    return body;
  },

  async run(body, { gateway }) {
    const answer = await gateway.ask({ method: 'POST', path: VIDEO_PATH, json: body });
    return dataAnswer(await answer.json<JsonObject>(), answer.facts);
  },
};
