import type { ModelWithCapability } from '@gateway/catalogue';
import {
  type Changes,
  GatewayError,
  type TranscriptionEnvelope,
  type TranscriptionForm,
  type TranscriptionRequest,
  transcriptionRequest,
} from '@gateway/contracts';
import { checked } from '../checked.js';
import { secondsOf } from '../media/recording-seconds.js';
import { recordingFormatOf } from './recording-format.js';

type ChatModel = ModelWithCapability<'chat'>;

const INSTRUCTION =
  'Transcribe the recording word for word, in the language that is spoken. Answer with the transcript alone.';
const SEGMENTS =
  'Split the transcript into segments of one sentence each. `start` and `end` are the times in the recording, as MM:SS.';
const SEGMENT = { start: { type: 'string' }, end: { type: 'string' }, text: { type: 'string' } };
const TRANSCRIPT_SCHEMA = {
  type: 'object',
  properties: {
    segments: { type: 'array', items: { type: 'object', properties: SEGMENT, required: ['start', 'end', 'text'] } },
  },
  required: ['segments'],
};
/** A transcript needs no reasoning, which would be billed. */
const LEAST_EFFORTS = ['none', 'minimal', 'low'] as const;
/** Base64 characters that hold the mark of every format. */
const HEAD_CHARACTERS = 64;

/** A transcription as a chat with one recording. Throws a 400 that names the field. */
export function validateTranscription(body: Record<string, unknown>, model: ChatModel): TranscriptionEnvelope {
  const request = checked(transcriptionRequest, body);
  if (!model.chat.traits.inputs.includes('audio')) {
    throw refusal('model', `${model.id} takes no audio: expected a model that does, such as gm-3.5-flash-lite.`);
  }
  const hasSegments = asksForSegments(request, model);
  const transcription = { ...formOf(request), ...(hasSegments && { hasSegments }) };
  return { transcription, chat: chatOf(request, model, hasSegments) };
}

const TIMES = ['timestamp_granularities[]', 'timestamp_granularities'] as const;

/** Only `verbose_json` has times. Vercel's AI SDK asks for them with `json` too, where the vendor ignores them. */
export function withoutUnusedTimes(body: Readonly<Record<string, unknown>>): {
  readonly body: Record<string, unknown>;
  readonly changes: Changes;
} {
  const unused = body.response_format === 'verbose_json' ? [] : TIMES.filter((name) => body[name] !== undefined);
  const used = Object.entries(body).filter(([name]) => !(unused as readonly string[]).includes(name));
  return { body: Object.fromEntries(used), changes: { filled: {}, dropped: unused } };
}

function asksForSegments(request: TranscriptionRequest, { id, chat }: ChatModel): boolean {
  const isSubtitle = request.response_format === 'srt' || request.response_format === 'vtt';
  const param = isSubtitle ? 'response_format' : TIMES.find((name) => request[name] !== undefined);
  if (param === undefined) return false;
  if (chat.traits.timesSegments === true) return true;
  const expected = isSubtitle ? 'another format' : 'no value';
  throw refusal(
    param,
    `${id} reports no times: expected ${expected}, or a model that does, such as gm-3.5-flash-lite.`,
  );
}

function formOf({ response_format: format = 'json', language, file, stream }: TranscriptionRequest): TranscriptionForm {
  const form = { format, ...(language !== undefined && { language }) };
  if (format === 'json' || format === 'text') return form;
  if (stream === true) throw refusal('response_format', 'expected json or text with a stream.');
  const duration = secondsOf(Buffer.from(file, 'base64'));
  if (duration !== undefined) return { ...form, duration };
  throw refusal('response_format', `${format} needs the duration, which the gateway reads of WAV, MP3 and MP4 alone.`);
}

function chatOf(
  request: TranscriptionRequest,
  { id, chat }: ChatModel,
  hasSegments: boolean,
): TranscriptionEnvelope['chat'] {
  const { file: data, language, prompt, temperature, stream } = request;
  const format = recordingFormatOf(Buffer.from(data.slice(0, HEAD_CHARACTERS), 'base64'));
  if (format === undefined)
    throw refusal('file', 'expected a recording: wav, mp3, m4a, mp4, ogg, webm, flac, aac, aiff.');
  const text = [
    INSTRUCTION,
    ...(hasSegments ? [SEGMENTS] : []),
    ...(language === undefined ? [] : [`The language is '${language}'.`]),
    ...(prompt === undefined || prompt === '' ? [] : [`Follow the names and the style of this text: ${prompt}`]),
  ].join('\n');
  const effort = LEAST_EFFORTS.find((level) => chat.traits.efforts?.[level] !== undefined);
  return {
    model: id,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'input_audio', input_audio: { data, format } },
        ],
      },
    ],
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(temperature !== undefined && { temperature }),
    ...(hasSegments && {
      response_format: { type: 'json_schema', json_schema: { name: 'transcript', schema: TRANSCRIPT_SCHEMA } },
    }),
    // Its last event has the counts.
    ...(stream === true && { stream, stream_options: { include_usage: true } }),
  };
}

const refusal = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}`, { param });
