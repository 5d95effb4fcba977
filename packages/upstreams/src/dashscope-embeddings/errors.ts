import type { GatewayError, JsonObject } from '@gateway/contracts';
import { dashScopeAccountFault, statusOfDashScopeError } from '../failures/dashscope-error.js';
import { type ChatErrorRules, chatErrorInResponse, readChatFailure } from '../openai-compatible-chat/chat-errors.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

const RULES: ChatErrorRules = {
  accountFaultOf: dashScopeAccountFault,
  statusOf: statusOfDashScopeError,
};

export const readFailure = (failure: UpstreamFailure): ClassifiedFailure => readChatFailure(failure, RULES);

export const errorInResponse = (body: JsonObject): GatewayError =>
  chatErrorInResponse(Buffer.from(JSON.stringify(body)), RULES);
