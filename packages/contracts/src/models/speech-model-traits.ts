import type { SpeechFormat } from '../api/speech.js';

/** Upstream protocols of speech; each has a folder in `packages/upstreams`. */
export const SPEECH_PROTOCOL_IDS = ['dashscope-speech'] as const;
export type SpeechProtocolId = (typeof SPEECH_PROTOCOL_IDS)[number];

/** What a speech protocol needs to know about a model. */
export interface SpeechModelTraits {
  /** Limit of one upstream call, counted by `countSpeechCharacters`. A longer text takes several calls. */
  readonly charactersPerCall: number;
  readonly sampleRateHz: number;
  readonly defaultVoice: string;
  readonly supportsInstructions: boolean;
  /** The model's only output format; null: the client chooses. */
  readonly onlyFormat: SpeechFormat | null;
}
