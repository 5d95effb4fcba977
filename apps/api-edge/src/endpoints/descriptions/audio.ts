import type { RouteDescription } from '@gateway/api-description';
import { speechRequest, transcriptionRequest } from '@gateway/contracts';
import { z } from 'zod';
import { eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const binary = z.string().meta({ override: { type: 'string', format: 'binary' } });

export const audioSpeech: RouteDescription = {
  id: 'audio.speech',
  summary: 'Speak a text',
  description: 'MP3 or WAV, streamed while it is made. Billed by character.',
  headers: PAID_HEADERS,
  body: speechRequest,
  answers: paidAnswers({ 'audio/mpeg': binary, 'audio/wav': binary }),
  errors: RUN_ERRORS,
  dialects: ['b'],
  passesErrors: true,
  examples: {
    simple: { body: { model: 'qn3-tts-flash', input: 'A paper boat floats.', voice: 'Cherry' } },
    empty_text: { isWrong: true, body: { model: 'qn3-tts-flash', input: '' } },
  },
};

const unmeasured = (value: 0 | 1) =>
  z
    .literal(value)
    .meta({ description: `Always ${value}: chat models do not measure it, and typed clients need a number.` });
const segment = z.looseObject({
  id: z.int().meta({ description: 'Its place in the list, from 0.' }),
  start: z.number().meta({ description: 'When it begins, in seconds of the recording.' }),
  end: z.number().meta({ description: 'When it ends, in seconds of the recording.' }),
  text: z.string(),
  tokens: z.array(z.int()).meta({ description: 'Empty: chat models do not report it.' }),
  seek: unmeasured(0),
  temperature: unmeasured(0),
  avg_logprob: unmeasured(0),
  compression_ratio: unmeasured(1),
  no_speech_prob: unmeasured(0),
});

const transcript = z
  .looseObject({
    text: z.string(),
    task: z.literal('transcribe').optional(),
    language: z.string().optional(),
    duration: z.number().optional(),
    segments: z.array(segment).optional(),
    usage: z.looseObject({ type: z.string() }).optional(),
  })
  .meta({ id: 'Transcript' });

const transcriptEvent = z.looseObject({ type: z.string() }).meta({ id: 'TranscriptEvent' });

export const audioTranscriptions: RouteDescription = {
  id: 'audio.transcriptions',
  summary: 'Transcribe a recording',
  description: 'By every chat model that takes audio. `file` is the recording: MP3 or WAV.',
  headers: PAID_HEADERS,
  body: { content: { 'multipart/form-data': z.strictObject({ ...transcriptionRequest.shape, file: binary }) } },
  answers: paidAnswers({
    'application/json': transcript,
    'text/plain': z.string(),
    'text/event-stream': eventStream(transcriptEvent, 'Deltas of the text, then the whole.'),
  }),
  errors: RUN_ERRORS,
  passesErrors: true,
  examples: { simple: { body: { model: 'gm-3.5-flash-lite', file: '@recording.wav', response_format: 'json' } } },
};
