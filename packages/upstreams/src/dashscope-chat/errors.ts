import { dashScopeAccountFault, statusOfDashScopeError } from '../failures/dashscope-error.js';
import { type ChatErrorRules, readChatFailure } from '../openai-compatible-chat/chat-errors.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

export const RULES: ChatErrorRules = {
  accountFaultOf: dashScopeAccountFault,
  statusOf: statusOfDashScopeError,
};

export const readFailure = (failure: UpstreamFailure): ClassifiedFailure => readChatFailure(failure, RULES);
