import { NO_TRACING, type Tracing } from './tracing.js';

export interface TracingSettings {
  readonly service: string;
  /** Of an OTLP collector over HTTP, such as `http://collector:4318`; no traces without it. */
  readonly endpoint: string | undefined;
  /** The share of traces that are kept of those that begin here; a caller's own decision is followed. */
  readonly sampleRatio: number;
}

/** The libraries are loaded only where traces are wanted. */
export async function openTracing({ endpoint, ...settings }: TracingSettings): Promise<Tracing> {
  if (endpoint === undefined) return NO_TRACING;
  const { otlpTracing } = await import('./otlp-tracing.js');
  return otlpTracing({ ...settings, endpoint });
}
