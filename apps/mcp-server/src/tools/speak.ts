import { ENDPOINTS, speechRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { LaterCall, PaidTool } from '../tool.js';
import { LATER_OPTION_HINTS, LATER_OPTIONS } from './call-options.js';
import { asJsonText, gatewayFacts } from './content.js';
import { runNow } from './later/run-later.js';

const ENDPOINT = 'audio.speech';
const { path } = ENDPOINTS[ENDPOINT];

const later: LaterCall = {
  requestOf: (body) => ({ method: 'POST', path, json: body }),
  async resultOf(response) {
    const audio = await response.bytes();
    const { contentType: mimeType, facts } = response;
    const structured = { mime_type: mimeType, bytes: audio.length, gateway: facts };
    return {
      structured,
      content: [{ type: 'audio', data: audio.toString('base64'), mimeType }, asJsonText(structured)],
    };
  },
};

export const speak: PaidTool = {
  kind: 'paid',
  name: 'speak',
  title: 'Speak text',
  description: 'Reads a text aloud and returns the audio (MP3 or WAV). One text may mix several languages.',
  endpoint: ENDPOINT,
  input: speechRequest.omit({ speed: true, stream_format: true }).extend(LATER_OPTIONS),
  hints: {
    ...LATER_OPTION_HINTS,
    model: 'The model to use.',
    input: 'The text to speak, at most 4096 characters.',
    voice: 'Name of the voice: Cherry (the default), Ethan, …',
    response_format: 'mp3 (the default) or wav. qn3-tts-instruct-flash always gives wav.',
    instructions: 'Tone, pace and emotion in plain words; only for qn3-tts-instruct-flash.',
  },
  output: z.looseObject({ mime_type: z.string(), bytes: z.int(), model: z.string(), gateway: gatewayFacts }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf: (args) => args,

  later,

  async run(body, call) {
    const { structured, content } = await runNow(later, body, call);
    const named = { ...structured, model: String(body.model) };
    return { structured: named, content: [...content.slice(0, -1), asJsonText(named)] };
  },
};
