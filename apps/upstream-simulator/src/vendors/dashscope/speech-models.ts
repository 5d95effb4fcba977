const BOTH =
  'Cherry Serena Ethan Chelsie Momo Vivian Moon Maia Kai Nofish Bella Mia Mochi Bellona Vincent Bunny Neil Elias Arthur Nini Seren Pip Stella'.split(
    ' ',
  );
const FLASH_ONLY = 'Jennifer Ryan Katerina Aiden Jada Dylan Sunny Li Marcus Roy Peter Rocky Kiki Eric'
  .split(' ')
  .concat('Eldric Sage');

export interface SpeechModel {
  readonly id: string;
  readonly voices: readonly string[];
  readonly supportsInstructions: boolean;
}

const FLASH_VOICES = [...BOTH, ...FLASH_ONLY];

const MODELS: readonly SpeechModel[] = [
  { id: 'qwen3-tts-flash', voices: FLASH_VOICES, supportsInstructions: false },
  { id: 'qwen3-tts-flash-2025-11-27', voices: FLASH_VOICES, supportsInstructions: false },
  { id: 'qwen3-tts-instruct-flash', voices: BOTH, supportsInstructions: true },
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findSpeechModel = (name: string): SpeechModel | undefined => BY_NAME.get(name);
