import { z } from 'zod';
import { httpUrl } from './variables.js';

/** Traces are off unless a collector is named. The names are OpenTelemetry's own. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** The share of traces to keep of those that begin here. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number from 0 to 1').min(0).max(1).default(1),
  /** These the library reads itself: what a collector wants to be shown, and what each span is to say of where it was. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
};

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

export const readTracing = (variables: TracingVariables) => ({
  endpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
  sampleRatio: variables.OTEL_TRACES_SAMPLER_ARG,
});
