import type { SpeechProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { openReader } from './stream.js';

export const dashScopeSpeech: SpeechProtocol = { id: 'dashscope-speech', buildRequest, openReader, readFailure };
