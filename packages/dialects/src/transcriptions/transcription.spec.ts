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

  it('as verbose_json has the duration, also as its usage, and the language of the client', () => {
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
    const task = { task: 'transcribe', duration: 1.5, text: 'Hello', usage: { type: 'duration', seconds: 1.5 } };
    expect(verbose('en')).toEqual({ ...task, language: 'en' });
    expect(verbose()).toEqual({ ...task, language: 'und' });
  });

  it('has the segments of its model, whole ones where the answer was cut', () => {
    const answer = (content: string, finish_reason = 'stop') => {
      const form = { format: 'verbose_json', duration: 70, hasSegments: true } as const;
      const bytes = openTranscription(form).whole({ choices: [{ message: { content }, finish_reason }] });
      const { text, segments } = JSON.parse(textOf(bytes)) as { text: string; segments: object[] };
      return { text, segments };
    };
    const spoken = [
      { start: '00:00', end: '00:02', text: 'Say {"a"}.' },
      { start: '00:02', end: '01:02.5', text: 'Then go.' },
    ];
    const json = JSON.stringify({ segments: spoken });
    const whole = answer(json);
    expect(whole.text).toBe('Say {"a"}. Then go.');
    expect(whole.segments).toMatchObject([
      {
        ...{ id: 0, start: 0, end: 2, text: 'Say {"a"}.', seek: 0, tokens: [], temperature: 0 },
        ...{ avg_logprob: 0, compression_ratio: 1, no_speech_prob: 0 },
      },
      { id: 1, start: 2, end: 62.5, text: 'Then go.' },
    ]);
    expect(answer(json.slice(0, -6), 'length')).toMatchObject({ text: 'Say {"a"}.', segments: [{ id: 0 }] });
    // A model may be wrong: times only grow, and end with the recording.
    const wrong = spoken.map((segment, at) => ({ ...segment, start: 'soon', end: at === 0 ? '00:09' : '99:00' }));
    expect(answer(JSON.stringify(wrong)).segments).toMatchObject([
      { start: 0, end: 9 },
      { start: 9, end: 70 },
    ]);
    expect(answer('{"segments": []}')).toEqual({ text: '', segments: [] });
    expect(answer('Only words.')).toEqual({ text: 'Only words.', segments: [] });
    // Quadratic work would take minutes.
    const hostile = '{"'.repeat(300_000);
    expect(answer(JSON.stringify({ segments: [{ text: hostile }] })).text).toBe(hostile);
    expect(answer(`{"segments": [{"text": "${'\\"{'.repeat(300_000)}`, 'length').text).toBe('');
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
