import type { VideoProtocol } from '../protocol.js';
import { isCancelRefusal, readFailure, readPollFailure } from './errors.js';
import { buildCancel, buildFind, buildPoll, buildSubmit } from './request.js';
import { promptOf, readFound, readStatus, readSubmitted } from './response.js';

export const dashScopeVideo: VideoProtocol = {
  id: 'dashscope-video',
  buildSubmit,
  readSubmitted,
  buildPoll,
  readStatus,
  readPollFailure,
  cancel: { build: buildCancel, isRefusal: isCancelRefusal },
  find: { build: buildFind, read: readFound, promptOf },
  readFailure,
};
