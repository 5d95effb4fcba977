export { closeInOrder } from './close-in-order.js';
export { Drain, type DrainSettings, type DrainStep } from './drain.js';
export { HealthModule } from './health/health.module.js';
export type { HealthProbe, ReadinessCheck } from './health/health-probe.js';
export { LogThrottle } from './log-throttle.js';
export { createLogger, type Logger, type LoggerSettings } from './logger.js';
export { Loop, type LoopOptions } from './loop.js';
export { createMetrics, type Metrics } from './metrics.js';
export { NestLogger } from './nest-logger.js';
export { continueTrace, type TraceContext } from './traceparent.js';
export { openTracing } from './tracing/open-tracing.js';
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
export { withTimeout } from './with-timeout.js';
