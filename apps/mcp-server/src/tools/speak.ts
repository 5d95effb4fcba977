import { ENDPOINTS, speechRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { PaidTool } from '../tool.js';
import { CALL_OPTION_HINTS, CALL_OPTIONS } from './call-options.js';
import { asJsonText, gatewayFacts } from './content.js';

const ENDPOINT = 'audio.speech';
const { path } = ENDPOINTS[ENDPOINT];

export const speak: PaidTool = {
  kind: 'paid',
  name: 'speak',
  title: 'Speak text',
  description: 'Reads a text aloud and returns the audio (MP3 or WAV). One text may mix several languages.',
  endpoint: ENDPOINT,
  input: speechRequest.omit({ speed: true, stream_format: true }).extend(CALL_OPTIONS),
  hints: {
    ...CALL_OPTION_HINTS,
    model: 'The model to use.',
    input: 'The text to speak, at most 4096 characters.',
    voice: 'Name of the voice: Cherry (the default), Ethan, …',
    response_format: 'mp3 (the default) or wav. qn3-tts-instruct-flash always gives wav.',
    instructions: 'Tone, pace and emotion in plain words; only for qn3-tts-instruct-flash.',
  },
  output: z.looseObject({ mime_type: z.string(), bytes: z.int(), model: z.string(), gateway: gatewayFacts }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: (args) => args,

  async run(body, { gateway }) {
    const response = await gateway.request({ method: 'POST', path, json: body });
    const audio = await response.bytes();
    const { contentType: mimeType, facts } = response;
    const structured = { mime_type: mimeType, bytes: audio.length, model: String(body.model), gateway: facts };
    return {
      structured,
      content: [{ type: 'audio', data: audio.toString('base64'), mimeType }, asJsonText(structured)],
    };
  },
};
