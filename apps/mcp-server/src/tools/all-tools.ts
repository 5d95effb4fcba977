import type { PaidTool, Tool } from '../tool.js';
import { chat } from './chat.js';
import { editImage } from './edit-image.js';
import { embed } from './embed.js';
import { generateImage } from './generate-image/generate-image.js';
import { getBalance } from './get-balance.js';
import { listModels } from './list-models.js';
import { message } from './message.js';
import { createQuoteTool } from './quote.js';
import { speak } from './speak.js';
import { cancelVideo, getVideo, listVideos } from './videos/manage-videos.js';
import { submitVideo } from './videos/submit-video.js';
import { waitForVideo } from './videos/wait-for-video.js';

const PAID: readonly PaidTool[] = [chat, message, generateImage, editImage, submitVideo, embed, speak];

/** All tools, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  chat,
  message,
  generateImage,
  editImage,
  submitVideo,
  waitForVideo,
  getVideo,
  cancelVideo,
  listVideos,
  embed,
  speak,
  listModels,
  createQuoteTool(PAID),
  getBalance,
];
