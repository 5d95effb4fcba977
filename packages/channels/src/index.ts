export type { ChannelSettings } from './channel.js';
export { ChannelCloser } from './channel-closer.js';
export { ChannelFailover } from './channel-failover.js';
export { type ChannelPool, ChannelSelector } from './channel-selector.js';
export { classifyUpstreamFailure, type FailureVerdict, UpstreamRejection } from './classify-upstream-failure.js';
export type {
  AttemptRecord,
  ChannelEvents,
  FailoverCall,
  FailoverResult,
  RejectedCredential,
  SuspicionOutcome,
} from './failover-call.js';
export { hideCredential, hideCredentialInChunks } from './hide-credential.js';
export type { MetricRegistry } from './metric-registry.js';
export { ModelListProbe } from './model-list-probe.js';
export { openChannelFailover } from './open-channel-failover.js';
export { VendorCosts } from './vendor-costs.js';
