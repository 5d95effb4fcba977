import type { TaskFailure } from '../../../tasks/video-job.js';
import { newId } from '../../vendor-ids.js';
import { INTERNAL } from '../ark-errors.js';

const sensitive = (what: string): string => `The request failed because the ${what} may contain sensitive information.`;

/** The vendor's messages by failure code. */
const WORDS: Readonly<Record<string, string>> = {
  [INTERNAL.code]: INTERNAL.message,
  OutputVideoSensitiveContentDetected: sensitive('output video'),
  OutputAudioSensitiveContentDetected: sensitive('output audio'),
  InputTextSensitiveContentDetected: sensitive('input text'),
  InputImageSensitiveContentDetected: sensitive('input image'),
  InputVideoSensitiveContentDetected: sensitive('input video'),
  'InputImageSensitiveContentDetected.PrivacyInformation':
    'The request failed because the input image may contain real person.',
  'InvalidParameter.TaskTypeConstraint': 'The request failed because the task type is not supported by the model.',
  ContentSecurityDetectionError:
    'The request failed because the content security detection failed. Please retry later.',
};

/** '' and unknown codes have the message of an internal error. */
export const failureOf = (code: string): TaskFailure => ({
  code: code === '' ? INTERNAL.code : code,
  message: `${WORDS[code] ?? INTERNAL.message} Request id: 0217${newId(20)}`,
});
