import { invoiceOf, tokensOfText } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, textOf } from '../../json/fields.js';
import { synthesizeTones } from '../../media/tones.js';
import type { IncomingRequest, Memory, RenderedReply, ReplyFrame } from '../vendor-emulator.js';
import { findById, newUuid, nowSeconds } from '../vendor-ids.js';
import type { ModelFamily } from './model-family.js';
import { invalid, nativeHeaders, refuse } from './native-errors.js';

const BOTH =
  'Cherry Serena Ethan Chelsie Momo Vivian Moon Maia Kai Nofish Bella Mia Mochi Bellona Vincent Bunny Neil Elias Arthur Nini Seren Pip Stella'.split(
    ' ',
  );
const FLASH_ONLY = 'Jennifer Ryan Katerina Aiden Jada Dylan Sunny Li Marcus Roy Peter Rocky Kiki Eric'
  .split(' ')
  .concat('Eldric Sage');

type SpeechModel = Readonly<{ id: string; voices: readonly string[]; supportsInstructions: boolean }>;
const FLASH_VOICES = [...BOTH, ...FLASH_ONLY];

const MODELS: readonly SpeechModel[] = [
  { id: 'qwen3-tts-flash', voices: FLASH_VOICES, supportsInstructions: false },
  { id: 'qwen3-tts-flash-2025-11-27', voices: FLASH_VOICES, supportsInstructions: false },
  { id: 'qwen3-tts-instruct-flash', voices: BOTH, supportsInstructions: true },
];

const findSpeechModel = findById(MODELS);
const MAX_CHARACTERS = 600;
const MAX_INSTRUCTION_TOKENS = 1_600;
const DIRECTIVE_MARK = '{{sim';
const HAN = /\p{Script=Han}/u;

/** A Han character counts 2, any other 1. */
const countCharacters = (text: string): number =>
  [...text].reduce((sum, character) => sum + (HAN.test(character) ? 2 : 1), 0);

const readText = (text: unknown): string => {
  if (typeof text !== 'string') throw invalid('Field required: input.text');
  if (text.trim() === '') throw refuse(400, 'BadRequest.EmptyInput', 'Input text is empty.');
  return text;
};

const checkVoice = (voice: unknown, model: SpeechModel): void => {
  if (isAbsent(voice)) throw invalid('Field required: input.voice');
  if (typeof voice !== 'string' || !model.voices.includes(voice)) {
    const names = model.voices.map((name) => `'${name}'`);
    throw invalid(`Input should be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}: input.voice`);
  }
};

const readSpeechRequest = (request: Fields, model: SpeechModel, memory: Memory) => {
  const input = fieldsOf(request.input);
  const text = readText(input.text);
  checkVoice(input.voice, model);
  const characters = countCharacters(text);
  if (characters > MAX_CHARACTERS) throw invalid(`Range of input length should be [0, ${MAX_CHARACTERS}]`);
  const { instructions } = input;
  if (typeof instructions === 'string' && tokensOfText(instructions) > MAX_INSTRUCTION_TOKENS) {
    throw invalid(`Range of instructions length should be [0, ${MAX_INSTRUCTION_TOKENS}]`);
  }
  return {
    directives: memory.repeats.activeDirectives('dashscope', text.includes(DIRECTIVE_MARK) ? [text] : []),
    text: stripDirectives(text),
    characters,
  };
};

type SpeechRequest = ReturnType<typeof readSpeechRequest>;
const CHARACTERS_PER_FRAME = 8;
const DAY_SECONDS = 86_400;

/** Events, numbered from 1. */
class SpeechEvents {
  #id = 0;
  readonly #expiresAt = nowSeconds() + DAY_SECONDS;

  constructor(
    private readonly requestId: string,
    private readonly parsed: SpeechRequest,
  ) {}

  frame(text: string): string {
    return this.#result(synthesizeTones(text).toString('base64'), 'null', {});
  }

  /** The vendor links to the whole file; this address has none. */
  end(): string {
    return this.#result('', 'stop', { url: `http://dashscope-result.example/${this.requestId}.wav` });
  }

  error(code: string, message: string): string {
    return this.#event('error', 500, { code, message, request_id: this.requestId });
  }

  #result(data: string, finishReason: string, more: object): string {
    const audio = { data, ...more, expires_at: this.#expiresAt, id: `audio_${this.requestId}` };
    return this.#event('result', 200, {
      output: { audio, finish_reason: finishReason },
      ...(this.parsed.directives.hidesUsage === true ? {} : { usage: { characters: this.parsed.characters } }),
      request_id: this.requestId,
    });
  }

  #event(name: string, status: number, data: object): string {
    this.#id += 1;
    return `id:${this.#id}\nevent:${name}\n:HTTP_STATUS/${status}\ndata:${JSON.stringify(data)}\n\n`;
  }
}

const cut = (text: string, frames: number | undefined): readonly string[] => {
  const characters = [...text];
  const size = frames === undefined ? CHARACTERS_PER_FRAME : Math.max(1, Math.ceil(characters.length / frames));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
};

const handle = (request: Fields, incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const model = findSpeechModel(textOf(request.model)) as SpeechModel;
  if (incoming.headers['x-dashscope-sse'] !== 'enable') {
    throw invalid("The simulator supports streamed speech only: X-DashScope-SSE must be 'enable'.");
  }
  const parsed = readSpeechRequest(request, model, memory);
  const requestId = newUuid();
  incoming.record.upstreamId = requestId;
  const events = new SpeechEvents(requestId, parsed);
  // The first frame bills the whole text.
  const billed = invoiceOf({ character: parsed.characters });
  const frames = cut(parsed.text, parsed.directives.chunks).map(
    (text): ReplyFrame => ({ billed, text: () => events.frame(text) }),
  );
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: nativeHeaders(requestId),
    usage: billed,
    whole: () => '',
    stream: {
      frames,
      close: () => events.end(),
      fail: () =>
        events.error('InternalError.Algo', 'An internal error has occured during execution, please try again later.'),
    },
  };
};

/** Speech over the native interface: 16-bit samples at 24 kHz, mono. */
export const speechGeneration: ModelFamily = { has: (model) => findSpeechModel(model) !== undefined, handle };
