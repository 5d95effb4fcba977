import type { VideoJob } from '../../../tasks/video-job.js';
import type { SeedanceModel } from './seedance-models.js';

export interface ArkVideoJob extends VideoJob {
  readonly traits: SeedanceModel;
  readonly ratio: string;
  /** Null: the length was given in seconds. */
  readonly frames: number | null;
  readonly seed: number;
  readonly tokens: number;
  readonly generatesAudio: boolean;
  readonly isDraft: boolean;
  readonly draftId: string | null;
  readonly returnsLastFrame: boolean;
  readonly serviceTier: string;
  readonly expiresAfterSeconds: number;
  readonly callbackUrl: string | null;
  /** Returned as sent: `safety_identifier`, `priority`, `tools`. */
  readonly echoed: object;
  /** The fields that a final video takes from this draft. */
  readonly reusable: ArkRequest;
}

/** The request, merged with the flags of its text. */
export type ArkRequest = Readonly<Record<string, unknown>>;
