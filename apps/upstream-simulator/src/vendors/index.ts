import { anthropic } from './anthropic/index.js';
import { ark } from './ark/index.js';
import { dashScope } from './dashscope/index.js';
import { gemini } from './gemini/index.js';
import { openAi } from './openai/index.js';
import type { VendorEmulator } from './vendor-emulator.js';
import { voyage } from './voyage/index.js';
import { xai } from './xai/index.js';

export const VENDORS: readonly VendorEmulator[] = [openAi, anthropic, gemini, dashScope, voyage, ark, xai];
