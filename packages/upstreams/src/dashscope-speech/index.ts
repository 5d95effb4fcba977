import type { SpeechProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { openReader } from './response.js';

export const dashScopeSpeech: SpeechProtocol = { id: 'dashscope-speech', buildRequest, openReader, readFailure };
