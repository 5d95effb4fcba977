export { BoundedLabel } from './bounded-label.js';
export { HealthModule } from './health/health.module.js';
export type { HealthProbe, ReadinessCheck } from './health/health-probe.js';
export { PROBE_SERVER } from './health/probe-server.js';
export { serveProbesWhile } from './health/serve-probes-while.js';
export { attemptEach } from './lifecycle/attempt-each.js';
export { closeInOrder } from './lifecycle/close-in-order.js';
export { Drain, type DrainSettings, type DrainStep } from './lifecycle/drain.js';
export { type Failpoints, failpointsAt } from './lifecycle/failpoints.js';
export { Loop, type LoopOptions } from './lifecycle/loop.js';
export { withTimeout } from './lifecycle/with-timeout.js';
export { logJobFailures } from './logging/log-job-failures.js';
export { logOutages } from './logging/log-outages.js';
export { LogThrottle } from './logging/log-throttle.js';
export { createLogger, type Logger, type LoggerSettings } from './logging/logger.js';
export { NestLogger } from './logging/nest-logger.js';
export { createMetrics, type Metrics, memoryLimitBytes } from './metrics.js';
export { openTracing } from './tracing/open-tracing.js';
export { continueTrace, type TraceContext } from './tracing/traceparent.js';
export {
  type ActiveSpan,
  NO_TRACING,
  type SpanAttributes,
  type SpanHandle,
  type SpanOptions,
  type SpanUpdate,
  type Tracing,
  type TracingSettings,
} from './tracing/tracing.js';
