import { type LaneFailureRules, readLaneFailure } from '../chat-lane/lane-failure.js';
import { isAboutDashScopeCredential, statusOfDashScopeError } from '../failures/dashscope-complaint.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

export const RULES: LaneFailureRules = {
  isAboutCredential: isAboutDashScopeCredential,
  statusOf: statusOfDashScopeError,
};

export const readFailure = (failure: UpstreamFailure): ReadFailure => readLaneFailure(failure, RULES);
