export type { ChannelSettings } from './channel.js';
export { ChannelFailover } from './channel-failover.js';
export { type ChannelPool, ChannelSelector } from './channel-selector.js';
export { classifyUpstreamFailure, type FailureVerdict, UpstreamRejection } from './classify-upstream-failure.js';
export type { AttemptRecord, FailoverCall, FailoverResult, RejectedCredential } from './failover-call.js';
