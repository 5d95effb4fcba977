import type { ChatModelTraits } from '../models/chat-model-traits.js';
import type { VideoBodyFormat, VideoModelTraits } from '../models/video-model-traits.js';
import type { SpeechFormat } from './speech.js';

/** What a model can do, for forms that offer nothing else. A kind that the model does not serve is absent. */
export interface ModelCapabilities {
  readonly chat?: {
    /** Kinds of content besides text. */
    readonly inputs: ChatModelTraits['inputs'];
    /** Values of `reasoning_effort`; empty: the model has no such setting. */
    readonly efforts: readonly string[];
    readonly thinking: ChatModelTraits['thinking'];
    /** Null: the model ignores the temperature. */
    readonly temperature_max: number | null;
    /** False: a stream brings the whole answer at its end. */
    readonly streams: boolean;
  };
  /** Values of OpenAI's body, which every image model takes. */
  readonly images?: {
    readonly sizes: readonly string[];
    readonly qualities: readonly string[];
    readonly max_images: number;
    /** False: the model only edits. */
    readonly from_text: boolean;
  };
  readonly edits?: {
    readonly sizes: readonly string[];
    readonly qualities: readonly string[];
    readonly max_images: number;
    readonly max_references: number;
    readonly mask: boolean;
  };
  readonly embeddings?: {
    readonly default_dimensions: number;
    /** A list, or every integer of a range. */
    readonly dimensions: readonly number[] | { readonly min: number; readonly max: number };
  };
  readonly rerank?: { readonly max_documents: number };
  readonly speech?: {
    readonly default_voice: string;
    readonly formats: readonly SpeechFormat[];
    readonly instructions: boolean;
    readonly max_characters: number;
  };
  /** `input`: text, a first frame, references, or any of them. `body`: the form of `input` and `parameters`. */
  readonly video?: { readonly input: VideoModelTraits['mode']; readonly body: VideoBodyFormat };
}
