import { tokensOfBytes } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { findById } from '../vendor-ids.js';
import { invalid, refuse } from './native-errors.js';

const BOTH =
  'Cherry Serena Ethan Chelsie Momo Vivian Moon Maia Kai Nofish Bella Mia Mochi Bellona Vincent Bunny Neil Elias Arthur Nini Seren Pip Stella'.split(
    ' ',
  );
const FLASH_ONLY = 'Jennifer Ryan Katerina Aiden Jada Dylan Sunny Li Marcus Roy Peter Rocky Kiki Eric'
  .split(' ')
  .concat('Eldric Sage');

export type SpeechModel = Readonly<{ id: string; voices: readonly string[]; supportsInstructions: boolean }>;
const FLASH_VOICES = [...BOTH, ...FLASH_ONLY];

const MODELS: readonly SpeechModel[] = [
  { id: 'qwen3-tts-flash', voices: FLASH_VOICES, supportsInstructions: false },
  { id: 'qwen3-tts-flash-2025-11-27', voices: FLASH_VOICES, supportsInstructions: false },
  { id: 'qwen3-tts-instruct-flash', voices: BOTH, supportsInstructions: true },
];

export const findSpeechModel = findById(MODELS);
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

export const readSpeechRequest = (request: Fields, model: SpeechModel, memory: Memory) => {
  const input = fieldsOf(request.input);
  const text = readText(input.text);
  checkVoice(input.voice, model);
  const characters = countCharacters(text);
  if (characters > MAX_CHARACTERS) throw invalid(`Range of input length should be [0, ${MAX_CHARACTERS}]`);
  const { instructions } = input;
  if (typeof instructions === 'string' && tokensOfBytes(Buffer.byteLength(instructions)) > MAX_INSTRUCTION_TOKENS) {
    throw invalid(`Range of instructions length should be [0, ${MAX_INSTRUCTION_TOKENS}]`);
  }
  return {
    directives: memory.repeats.activeDirectives('dashscope', text.includes(DIRECTIVE_MARK) ? [text] : []),
    text: stripDirectives(text),
    characters,
  };
};

export type SpeechRequest = ReturnType<typeof readSpeechRequest>;
