import type { PaidTool, Tool } from '../tool.js';
import { chat } from './chat.js';
import { createChildKey } from './create-child-key.js';
import { editImage } from './edit-image.js';
import { embed } from './embed.js';
import { generateImage } from './generate-image/generate-image.js';
import { getBalance } from './get-balance.js';
import { cancelRequest } from './later/cancel-request.js';
import { createGetResultTool } from './later/get-result.js';
import { withLaterOutput } from './later/request-record.js';
import { listModels } from './list-models.js';
import { message } from './message.js';
import { createQuoteTool } from './quote.js';
import { speak } from './speak.js';
import { cancelVideo, getVideo, listVideos } from './videos/manage-videos.js';
import { submitVideo } from './videos/submit-video.js';
import { waitForVideo } from './videos/wait-for-video.js';

const BEFORE_VIDEOS = [chat, message, generateImage, editImage].map(withLaterOutput);
const AFTER_VIDEOS = [embed, speak].map(withLaterOutput);
const PAID: readonly PaidTool[] = [...BEFORE_VIDEOS, submitVideo, ...AFTER_VIDEOS];

/** All tools, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  ...BEFORE_VIDEOS,
  submitVideo,
  waitForVideo,
  getVideo,
  cancelVideo,
  listVideos,
  ...AFTER_VIDEOS,
  listModels,
  createQuoteTool(PAID),
  getBalance,
  createGetResultTool(PAID),
  cancelRequest,
  createChildKey,
];
