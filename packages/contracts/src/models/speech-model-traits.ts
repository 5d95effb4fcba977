import type { SpeechFormat } from '../api/speech.js';

/** The wires that speech is asked for on. */
export const SPEECH_PROTOCOL_IDS = ['dashscope-speech'] as const;
export type SpeechProtocolId = (typeof SPEECH_PROTOCOL_IDS)[number];

/** What must be known of a model to let it speak. */
export interface SpeechModelTraits {
  /** What one upstream call takes, as `countSpeechCharacters` counts; a longer text is spoken by several. */
  readonly charactersPerCall: number;
  readonly sampleRateHz: number;
  readonly defaultVoice: string;
  readonly supportsInstructions: boolean;
  /** The only format of its answers, whatever is asked; null: the client chooses. */
  readonly onlyFormat: SpeechFormat | null;
}
