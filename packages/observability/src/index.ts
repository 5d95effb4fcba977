export { closeInOrder } from './close-in-order.js';
export { Drain, type DrainSettings, type DrainStep } from './drain.js';
export { HealthModule } from './health/health.module.js';
export type { HealthProbe, ReadinessCheck } from './health/health-probe.js';
export { createLogger, type Logger, type LoggerSettings } from './logger.js';
export { Loop, type LoopOptions } from './loop.js';
export { createMetrics, type Metrics } from './metrics.js';
export { NestLogger } from './nest-logger.js';
export { Seldom } from './seldom.js';
export { continueTrace, type TraceContext } from './traceparent.js';
export { openTracing } from './tracing/open-tracing.js';
export {
  NO_TRACING,
  type OpenSpan,
  type SpanAttributes,
  type SpanNote,
  type SpanStart,
  type Tracing,
  type TracingSettings,
  type WorkSpan,
} from './tracing/tracing.js';
