import type { SpeechFormat } from '../api/speech.js';

/** Upstream protocols of speech; each has a folder in `packages/upstreams`. */
export const SPEECH_PROTOCOL_IDS = ['dashscope-speech'] as const;
export type SpeechProtocolId = (typeof SPEECH_PROTOCOL_IDS)[number];

/** A model's traits for the speech protocols. */
export interface SpeechModelTraits {
  /** Limit of one upstream call, counted by `countSpeechCharacters`. A longer text needs several calls. */
  readonly charactersPerCall: number;
  readonly sampleRateHz: number;
  readonly defaultVoice: string;
  readonly supportsInstructions: boolean;
  /** The model's only output format; null: the client chooses. */
  readonly onlyFormat: SpeechFormat | null;
}
