import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';
import { recordingFormatOf } from './recording-format.js';

/** One second of silence: 8,000 samples of one byte. */
const HEAD = Buffer.from(
  '524946462400000057415645666d74201000000001000100401f0000401f00000100080064617461401f0000',
  'hex',
);
const wav = Buffer.concat([HEAD, Buffer.alloc(8_000 - HEAD.length)]).toString('base64');

function validate(more: object, id = 'gm-2.5-flash') {
  const model = findModel(id);
  if (model === undefined) throw new Error('no model');
  return JSON_ENDPOINTS['audio.transcriptions'].validate({ model: id, file: wav, ...more }, model);
}

function refusalOf(more: object, id?: string) {
  try {
    validate(more, id);
  } catch (error) {
    if (isGatewayError(error)) return { param: error.details.param, message: error.message };
  }
  throw new Error(`accepted ${JSON.stringify(more)}`);
}

const paramOf = (more: object, id?: string): string | undefined => refusalOf(more, id).param;

const withHead = (text: string) => Buffer.from(text.padEnd(44, '\0'), 'latin1').toString('base64');

describe('a transcription', () => {
  it('is a chat with the recording, the least effort, and what the client says of it', () => {
    const more = { language: 'en', prompt: 'Gilgamesh', temperature: '0.2', response_format: 'verbose_json' };
    expect(validate(more).rewritten).toEqual({
      transcription: { format: 'verbose_json', language: 'en', duration: 1 },
      chat: {
        model: 'gm-2.5-flash',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: expect.stringMatching(/^Transcribe .*\n.*'en'\.\n.*: Gilgamesh$/) },
              { type: 'input_audio', input_audio: { data: wav, format: 'wav' } },
            ],
          },
        ],
        reasoning_effort: 'none',
        temperature: 0.2,
      },
    });
    expect(validate({}, 'qn3.8-omni-flash').rewritten).toMatchObject({ chat: { reasoning_effort: 'low' } });
  });

  it('holds what that chat would hold, and counts each second', () => {
    const model = findModel('gm-2.5-flash');
    const { worstCase, rewritten } = validate({});
    if (model === undefined || rewritten === undefined) throw new Error('nothing rewritten');
    const { chat } = rewritten as { chat: Record<string, unknown> };
    expect(worstCase).toEqual(JSON_ENDPOINTS['chat.completions'].validate(chat, model).worstCase);
    expect(worstCase.units.input_audio_token).toBe(32);
  });

  it('streams with its counts', () => {
    for (const stream of [true, 'true']) {
      const valid = validate({ stream });
      expect(valid.isStream).toBe(true);
      expect(valid.rewritten).toMatchObject({ chat: { stream: true, stream_options: { include_usage: true } } });
    }
    expect(validate({ stream: 'false' }).isStream).toBe(false);
  });

  it.each([
    [{ file: undefined }, 'file'],
    [{ file: '' }, 'file'],
    [{ file: withHead('%PDF-1.7') }, 'file'],
    [{ language: 'English!' }, 'language'],
    [{ prompt: 'x'.repeat(8_001) }, 'prompt'],
    [{ response_format: 'ass' }, 'response_format'],
    [{ response_format: 'srt', stream: true }, 'response_format'],
    [{ response_format: 'vtt', file: withHead('OggS') }, 'response_format'],
    [{ response_format: 'verbose_json', file: withHead('OggS') }, 'response_format'],
    [{ response_format: 'verbose_json', stream: true }, 'response_format'],
    [{ temperature: '1.5' }, 'temperature'],
    [{ temperature: 'warm' }, 'temperature'],
    [{ stream: 'yes' }, 'stream'],
    [{ chunking_strategy: 'server_vad' }, 'chunking_strategy'],
    [{ 'timestamp_granularities[]': 'word', response_format: 'verbose_json' }, 'timestamp_granularities[]'],
    [{ timestamp_granularities: ['segment', 'word'], response_format: 'verbose_json' }, 'timestamp_granularities'],
    [{ 'include[]': 'logprobs' }, 'include[]'],
  ])('refuses %j by name', (more, param) => {
    expect(paramOf(more)).toBe(param);
  });

  it.each([
    ['timestamp_granularities[]', 'word'],
    // A list of several values, as the edge reads the form.
    ['timestamp_granularities[]', 'word,segment'],
    ['timestamp_granularities', ['segment', 'word']],
    ['timestamp_granularities', ['word', 'segment']],
    ['timestamp_granularities', ['word']],
  ])('says of %s %j that no model reports the times of words', (name, value) => {
    const { message } = refusalOf({ [name]: value, response_format: 'verbose_json' });
    expect(message).toMatch(/^'timestamp_granularities.*': expected 'segment': no model reports the times of words$/);
  });

  it.each(['srt', 'vtt'])('asks for segments for subtitles as %s', (response_format) => {
    const { chat } = validate({ response_format: 'verbose_json', 'timestamp_granularities[]': 'segment' })
      .rewritten as { chat: object };
    const transcription = { format: response_format, duration: 1, hasSegments: true };
    expect(validate({ response_format }).rewritten).toEqual({ transcription, chat });
    expect(validate({ response_format, 'timestamp_granularities[]': 'segment' }).rewritten).toEqual({
      transcription,
      chat,
    });
  });

  it('asks a model that has times for segments, by a schema', () => {
    const more = { response_format: 'verbose_json', 'timestamp_granularities[]': 'segment' };
    const { rewritten } = validate(more);
    expect(rewritten).toMatchObject({
      transcription: { format: 'verbose_json', duration: 1, hasSegments: true },
      chat: { response_format: { type: 'json_schema', json_schema: { name: 'transcript' } } },
    });
    expect(JSON.stringify(rewritten)).toContain('MM:SS');
    expect(validate({ ...more, 'timestamp_granularities[]': ['segment'] }).rewritten).toEqual(rewritten);
    expect(paramOf(more, 'qn3.8-omni-flash')).toBe('timestamp_granularities[]');
  });

  // Vercel's AI SDK sends them with every option for gpt-4o-transcribe, whose answers have none.
  it.each([{}, { response_format: 'json' }, { response_format: 'text' }])('drops times that %j has not', (more) => {
    const timed = validate({ ...more, 'timestamp_granularities[]': 'word' });
    expect(timed.changes?.dropped).toEqual(['timestamp_granularities[]']);
    expect(timed.rewritten).toEqual(validate(more).rewritten);
  });

  it('needs a model that takes audio', () => {
    expect(paramOf({}, 'gp-5.4-mini')).toBe('model');
  });
});

describe('the format of a recording', () => {
  it.each([
    ['RIFF....WAVE', 'wav'],
    ['RIFF....AVI ', undefined],
    ['FORM....AIFC', 'aiff'],
    ['fLaC', 'flac'],
    ['OggS', 'ogg'],
    ['....ftypM4A ', 'm4a'],
    ['\x1a\x45\xdf\xa3', 'webm'],
    ['ID3', 'mp3'],
    ['\xff\xfb', 'mp3'],
    ['\xff\xf1', 'aac'],
    ['MZ', undefined],
  ])('of %j is %s', (head, format) => {
    expect(recordingFormatOf(Buffer.from(withHead(head), 'base64'))).toBe(format);
  });

  it('of a few bytes is unknown', () => {
    expect(recordingFormatOf(Buffer.from('ID3'))).toBeUndefined();
  });
});
