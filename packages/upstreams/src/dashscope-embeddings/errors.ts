import type { GatewayError } from '@gateway/contracts';
import { type LaneFailureRules, laneErrorInAnswer, readLaneFailure } from '../chat-lane/lane-failure.js';
import { isAboutDashScopeCredential, statusOfDashScopeError } from '../failures/dashscope-complaint.js';
import type { JsonObject } from '../failures/error-body.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

const RULES: LaneFailureRules = {
  isAboutCredential: isAboutDashScopeCredential,
  statusOf: statusOfDashScopeError,
};

export const readFailure = (failure: UpstreamFailure): ReadFailure => readLaneFailure(failure, RULES);

export const errorInAnswer = (answer: JsonObject): GatewayError =>
  laneErrorInAnswer(Buffer.from(JSON.stringify(answer)), RULES);
