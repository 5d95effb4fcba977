import { NO_TRACING, type Tracing, type TracingSettings } from './tracing.js';

/** Loads the OpenTelemetry libraries only if an endpoint is set. */
export async function openTracing({ endpoint, ...settings }: TracingSettings): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { otlpTracing } = await import('./otlp-tracing.js');
  return otlpTracing({ ...settings, endpoint });
}
