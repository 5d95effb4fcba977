import type { VideoProtocol } from '../protocol.js';
import { readFailure, readPollFailure } from './errors.js';
import { buildPoll, buildSubmit } from './request.js';
import { readStatus, readSubmitted } from './response.js';

export const xaiVideo: VideoProtocol = {
  id: 'xai-video',
  buildSubmit,
  readSubmitted,
  buildPoll,
  readStatus,
  readPollFailure,
  readFailure,
};
