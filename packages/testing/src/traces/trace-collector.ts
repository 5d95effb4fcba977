import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { eventually } from '../wait/eventually.js';

interface Attributed {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface OtlpSpan extends Attributed {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: Attributed;
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  readonly service: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const attributesOf = ({ attributes }: Attributed): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** An OpenTelemetry collector that records what it receives. */
export class TraceCollector {
  readonly spans: ReceivedSpan[] = [];
  /** All payloads as JSON text. */
  received = '';

  private constructor(private readonly server: Server) {}

  static async open(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      json(request).then(
        (traces) => {
          collector.#record(traces as OtlpTraces);
          response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        },
        () => response.writeHead(400).end(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The trace of a request, by the client's request id, once it has at least `spansAtLeast` spans. */
  traceOf(requestId: string, spansAtLeast: number): Promise<readonly ReceivedSpan[]> {
    return eventually(() => {
      const ours = this.spansOf(requestId).find(({ service }) => service === 'gateway-api-edge');
      const trace = this.spans.filter(({ traceId }) => traceId === ours?.traceId);
      if (trace.length < spansAtLeast) throw new Error(`the trace has ${trace.length} of ${spansAtLeast} spans`);
      return trace;
    });
  }

  /** Every span of the request, over all traces. */
  spansOf(requestId: string): readonly ReceivedSpan[] {
    return this.spans.filter(({ attributes }) => attributes['gateway.request_id'] === requestId);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  #record(traces: OtlpTraces): void {
    this.received += JSON.stringify(traces);
    for (const { resource, scopeSpans } of traces.resourceSpans) {
      const { 'service.name': service } = attributesOf(resource);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, service, attributes: attributesOf(span) });
      }
    }
  }
}
