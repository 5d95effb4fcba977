import { z } from 'zod';
import { httpUrl } from './variables.js';

const SHARE = 'must be a number from 0 to 1';

/** Tracing is off without a collector. The names are those of OpenTelemetry. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** The share of the traces that start here and are sampled, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(SHARE).min(0, SHARE).max(1, SHARE).default(1),
  /** The OpenTelemetry library reads these two itself: credentials for the collector, and attributes of every span. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
};

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

export const readTracing = (variables: TracingVariables) => ({
  endpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
  sampleRatio: variables.OTEL_TRACES_SAMPLER_ARG,
});
