import type { ChatUsage, TranscriptionForm } from '@gateway/contracts';
import { readSegments } from './segments.js';
import { subtitlesOf } from './subtitles.js';

/** A `chat.completion`, or one of its chunks. */
interface ChatObject {
  readonly choices?: readonly {
    readonly message?: { readonly content?: string | null };
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: ChatUsage | null;
}

/** ISO 639-2 for "undetermined": the client named no language. */
const UNDETERMINED = 'und';

const usageOf = ({ prompt_tokens: input, completion_tokens: output, ...usage }: ChatUsage) => {
  const audio = usage.prompt_tokens_details?.audio_tokens ?? 0;
  return {
    type: 'tokens',
    input_tokens: input,
    output_tokens: output,
    total_tokens: usage.total_tokens,
    input_token_details: { text_tokens: input - audio, audio_tokens: audio },
  };
};

/** The counts of OpenAI's older models, whose form `verbose_json` is: it has no tokens. */
const durationOf = (seconds: number) => ({ type: 'duration', seconds });

/** Says why a text is not whole, such as `length`. The original form has no place for it. */
const cutOf = (finish: string | null | undefined) =>
  finish == null || finish === 'stop' ? {} : { finish_reason: finish };

const isPlain = (format: TranscriptionForm['format']): boolean => format !== 'json' && format !== 'verbose_json';

/** The answers of one transcription, made of a chat: platform.openai.com/docs/api-reference/audio. Of one call only. */
export function openTranscription(form: TranscriptionForm) {
  const { format, language = UNDETERMINED, duration = 0, hasSegments } = form;
  let text = '';
  let cut = {};
  return {
    ...(isPlain(format) && { contentType: 'text/plain; charset=utf-8' }),
    whole: (completion: unknown): Uint8Array => {
      const { choices: [choice] = [], usage } = completion as ChatObject;
      const whole = choice?.message?.content ?? '';
      if (format === 'text') return Buffer.from(`${whole}\n`);
      if (format === 'srt' || format === 'vtt') return Buffer.from(subtitlesOf(whole, duration, format));
      const isVerbose = format === 'verbose_json';
      const verbose = isVerbose ? { task: 'transcribe', language, duration } : {};
      const transcript = hasSegments === true ? readSegments(whole, duration) : { text: whole };
      const counts = usage == null ? {} : { usage: isVerbose ? durationOf(duration) : usageOf(usage) };
      return Buffer.from(JSON.stringify({ ...verbose, ...transcript, ...counts, ...cutOf(choice?.finish_reason) }));
    },
    /** The counts come last, so their chunk ends the stream. */
    chunk: (chunk: unknown): string | undefined => {
      const { choices: [choice] = [], usage } = chunk as ChatObject;
      const delta = choice?.delta?.content ?? '';
      text += delta;
      cut = { ...cut, ...cutOf(choice?.finish_reason) };
      const part = delta === '' ? '' : event({ type: 'transcript.text.delta', delta });
      if (usage == null) return part === '' ? undefined : part;
      return part + event({ type: 'transcript.text.done', text, usage: usageOf(usage), ...cut });
    },
  };
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
