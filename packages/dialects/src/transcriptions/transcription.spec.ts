import { describe, expect, it } from '@jest/globals';
import { openTranscription } from '../index.js';

const usage = {
  prompt_tokens: 40,
  completion_tokens: 4,
  total_tokens: 44,
  prompt_tokens_details: { audio_tokens: 32 },
};
const counts = {
  type: 'tokens',
  input_tokens: 40,
  output_tokens: 4,
  total_tokens: 44,
  input_token_details: { text_tokens: 8, audio_tokens: 32 },
};
const completion = (finish = 'stop') => ({
  choices: [{ message: { content: 'Hello' }, finish_reason: finish }],
  usage,
});
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('a transcription', () => {
  it('has the text and the counts, and says if the text is cut', () => {
    const { whole, contentType } = openTranscription({ format: 'json' });
    expect(contentType).toBeUndefined();
    expect(JSON.parse(textOf(whole(completion())))).toEqual({ text: 'Hello', usage: counts });
    expect(JSON.parse(textOf(whole(completion('length'))))).toMatchObject({ finish_reason: 'length' });
  });

  it('as text is the text alone', () => {
    const { whole, contentType } = openTranscription({ format: 'text' });
    expect([textOf(whole(completion())), contentType]).toEqual(['Hello\n', 'text/plain; charset=utf-8']);
  });

  it('as verbose_json has the duration and the language of the client', () => {
    const verbose = (language?: string) =>
      JSON.parse(
        textOf(
          openTranscription({
            format: 'verbose_json',
            duration: 1.5,
            ...(language !== undefined && { language }),
          }).whole(completion()),
        ),
      );
    const task = { task: 'transcribe', duration: 1.5, text: 'Hello', usage: counts };
    expect(verbose('en')).toEqual({ ...task, language: 'en' });
    expect(verbose()).toEqual({ ...task, language: 'und' });
  });

  it('streams its text, and ends with the whole and the counts', () => {
    const { chunk } = openTranscription({ format: 'json' });
    const delta = (content: string | undefined, finish: string | null = null) =>
      chunk({ choices: [{ delta: { content }, finish_reason: finish }] });
    expect(delta('')).toBeUndefined();
    expect(delta('Hel')).toBe('data: {"type":"transcript.text.delta","delta":"Hel"}\n\n');
    delta('lo');
    expect(delta(undefined, 'length')).toBeUndefined();
    const done = chunk({ choices: [], usage }) ?? '';
    expect(JSON.parse(done.slice('data: '.length))).toEqual({
      type: 'transcript.text.done',
      text: 'Hello',
      usage: counts,
      finish_reason: 'length',
    });
  });
});
