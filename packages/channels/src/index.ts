export type { ChannelSettings } from './channel.js';
export {
  type AttemptRecord,
  ChannelFailover,
  type FailoverCall,
  type FailoverResult,
  type RejectedCredential,
} from './channel-failover.js';
export { type ChannelPool, ChannelSelector } from './channel-selector.js';
export { classifyUpstreamFailure, type FailureVerdict, UpstreamRejection } from './classify-upstream-failure.js';
