import type { TaskSpec } from '../../../tasks/task-spec.js';
import type { SeedanceModel } from './seedance-models.js';

/** What Ark keeps of a task beside what every vendor keeps. */
export interface ArkTaskSpec extends TaskSpec {
  readonly traits: SeedanceModel;
  readonly ratio: string;
  /** Null: the length was asked for in seconds. */
  readonly frames: number | null;
  readonly seed: number;
  readonly tokens: number;
  readonly generatesAudio: boolean;
  readonly isDraft: boolean;
  /** The draft that it was made from. */
  readonly draftId: string | null;
  readonly returnsLastFrame: boolean;
  readonly serviceTier: string;
  readonly expiresAfterSeconds: number;
  readonly callbackUrl: string | null;
  /** What else is given back as it came: `safety_identifier`, `priority`, `tools`. */
  readonly echoed: object;
  /** The fields that a final video has from it, whatever its own request says, if it is a draft. */
  readonly reusable: ArkRequest;
}

/** The request as it counts, with the flags of the text among its fields. */
export type ArkRequest = Readonly<Record<string, unknown>>;
