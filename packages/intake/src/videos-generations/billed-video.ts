import type { VideoModelTraits } from '@gateway/contracts';
import type { VideoBody } from './video-body.js';

/** What a video is billed by. Every other field of the request must agree with it. */
export interface BilledVideo {
  readonly durationSeconds: number;
  /** In lower case. */
  readonly resolution: string;
  /** From the field beside `parameters`. It does not affect the price. */
  readonly aspectRatio: string | undefined;
}

/** The draft that the request refers to. The final video has its duration and its audio. */
export interface VideoDraft {
  readonly modelId: string;
  readonly durationSeconds: number;
  readonly aspectRatio: string;
  readonly isSilent: boolean;
}

/** What the rules of a family need of a request. */
export interface VideoRequest {
  readonly modelId: string;
  readonly traits: VideoModelTraits;
  readonly billed: BilledVideo;
  readonly body: VideoBody;
  readonly draft: VideoDraft | undefined;
}
