import { ENDPOINTS, speechRequest } from '@gateway/contracts';
import { z } from 'zod';
import { OWN_ARGUMENTS, OWN_HINTS } from '../own-arguments.js';
import type { PaidTool } from '../tool.js';
import { asJsonText, gatewayFacts } from './content.js';

const ENDPOINT = 'audio.speech';
const { path } = ENDPOINTS[ENDPOINT];

export const speak: PaidTool = {
  kind: 'paid',
  name: 'speak',
  title: 'Speak text',
  description: 'Reads a text aloud and gives back the sound (MP3 or WAV). Several languages may be mixed in one text.',
  endpoint: ENDPOINT,
  input: speechRequest.omit({ speed: true, stream_format: true }).extend(OWN_ARGUMENTS),
  hints: {
    ...OWN_HINTS,
    model: 'Which model speaks.',
    input: 'The text to speak, at most 4096 characters.',
    voice: 'Whose voice: Cherry (the default), Ethan, …',
    response_format: 'mp3 (the default) or wav. qn3-tts-instruct-flash always gives wav.',
    instructions: 'Tone, pace and emotion in plain words; only for qn3-tts-instruct-flash.',
  },
  output: z.looseObject({ mime_type: z.string(), bytes: z.int(), model: z.string(), gateway: gatewayFacts }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: (given) => given,

  async run(body, { gateway }) {
    const answer = await gateway.ask({ method: 'POST', path, json: body });
    const sound = await answer.bytes();
    const { contentType: mimeType, facts } = answer;
    const structured = { mime_type: mimeType, bytes: sound.length, model: String(body.model), gateway: facts };
    return {
      structured,
      content: [{ type: 'audio', data: sound.toString('base64'), mimeType }, asJsonText(structured)],
    };
  },
};
