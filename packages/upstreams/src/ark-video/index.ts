import type { VideoProtocol } from '../protocol.js';
import { isCancelRefusal, readFailure, readPollFailure } from './errors.js';
import { buildCancel, buildFind, buildPoll, buildSubmit } from './request.js';
import { readFound, readStatus, readSubmitted } from './response.js';

export const arkVideo: VideoProtocol = {
  id: 'ark-video',
  buildSubmit,
  readSubmitted,
  buildPoll,
  readStatus,
  readPollFailure,
  cancel: { build: buildCancel, isRefusal: isCancelRefusal },
  find: { build: buildFind, read: readFound },
  readFailure,
};
