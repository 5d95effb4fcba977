import type { VideoModelTraits } from '@gateway/contracts';
import type { VideoBody } from './video-body.js';

/** What a video is billed by. All that the request says of these, wherever it says it, has to agree with it. */
export interface BilledVideo {
  readonly durationSeconds: number;
  /** In lower case. */
  readonly resolution: string;
  /** The ratio that the client gave beside `parameters`; it has no price. */
  readonly aspectRatio: string | undefined;
}

/** A draft that the request wants the whole video of: its seconds and its sound are the ones that will be made. */
export interface VideoDraft {
  readonly modelId: string;
  readonly durationSeconds: number;
  readonly aspectRatio: string;
  readonly isSilent: boolean;
}

/** What a family's rules need to know of a request. */
export interface VideoRequest {
  readonly modelId: string;
  readonly traits: VideoModelTraits;
  readonly billed: BilledVideo;
  readonly body: VideoBody;
  readonly draft: VideoDraft | undefined;
}
