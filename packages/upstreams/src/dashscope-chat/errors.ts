import { isAboutDashScopeCredential, statusOfDashScopeError } from '../failures/dashscope-error.js';
import { type ChatErrorRules, readChatFailure } from '../openai-compatible-chat/chat-errors.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

export const RULES: ChatErrorRules = {
  isAboutCredential: isAboutDashScopeCredential,
  statusOf: statusOfDashScopeError,
};

export const readFailure = (failure: UpstreamFailure): ClassifiedFailure => readChatFailure(failure, RULES);
