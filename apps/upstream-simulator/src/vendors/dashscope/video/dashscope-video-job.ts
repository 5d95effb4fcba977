import type { TaskFailure, VideoJob } from '../../../tasks/video-job.js';
import type { VideoModel } from './video-models.js';

export interface DashScopeVideoJob extends VideoJob {
  readonly traits: VideoModel;
  /** Of the call that created the task. */
  readonly requestId: string;
  readonly tier: number;
  readonly ratio: string;
  /** Of all input clips. */
  readonly inputSeconds: number;
  readonly prompt: string;
  readonly extendsPrompt: boolean;
}

const INTERNAL = 'InternalError.Algo';

/** The vendor's messages by failure code. */
const WORDS: Readonly<Record<string, string>> = {
  [INTERNAL]: 'An internal error has occured during execution, please try again later or contact service support.',
  InternalError: 'An internal error has occured, please try again later or contact service support.',
  'InternalError.Timeout': 'An asynchronous task returned no result within 3 hours',
  InvalidParameter: 'The size does not match the allowed size',
  DataInspectionFailed: 'Output data may contain inappropriate content.',
  IPInfringementSuspect: 'Input data is suspected of being involved in IP infringement.',
  InvalidURL: 'Failed to download the media: the url can not be accessed.',
  'InvalidURL.Timeout': 'Download the media resource timed out during the data inspection process.',
  'InvalidFile.Resolution': 'The resolution of the media is not supported.',
  'InvalidFile.Duration': 'The duration of the media is not supported.',
  'Throttling.AllocationQuota': 'Allocated quota exceeded, please increase your quota limit.',
  ModelServingError: 'The model service is unavailable, please try again later.',
};

export const timedOut: TaskFailure = { code: 'InternalError.Timeout', message: WORDS['InternalError.Timeout'] ?? '' };

/** '' and unknown codes have the message of an internal error. */
export const failureOf = (code: string): TaskFailure => ({
  code: code === '' ? INTERNAL : code,
  message: WORDS[code] ?? WORDS[INTERNAL] ?? '',
});
