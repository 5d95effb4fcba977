import type { TaskSpec } from '../../../tasks/task-spec.js';
import type { VideoModel } from './video-models.js';

/** What DashScope keeps of a task beside what every vendor keeps. */
export interface DashScopeTaskSpec extends TaskSpec {
  readonly traits: VideoModel;
  /** Of the call that made it. */
  readonly requestId: string;
  /** Such as 720. */
  readonly tier: number;
  readonly ratio: string;
  /** Of the clips that it goes by, together. */
  readonly inputSeconds: number;
  /** The prompt as it came. */
  readonly prompt: string;
  readonly extendsPrompt: boolean;
}
