import type { RequestId } from '@gateway/contracts';
import { continueTrace } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { Exchange } from '../caller.js';
import { OPEN_GATEWAY, type OpenGateway } from '../gateway.js';
import { MCP_METRICS, type McpMetrics } from '../mcp-metrics.js';
import { LOGGER, type Logger, TRACING, type Tracing } from '../observability-door.js';
import type { ReportProgress, Tool, ToolAnswer, ToolCall } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';

export interface Run {
  readonly tool: Tool;
  readonly exchange: Exchange;
  readonly signal: AbortSignal;
  readonly progress: ReportProgress | undefined;
  readonly idempotencyKey: string | undefined;
}

type Ended = 'ok' | 'refused' | 'cancelled' | 'failed';

/** Runs one tool, however it ends: counted, timed and told to the log, with every failure one that a model may read. */
@Injectable()
export class RunTool {
  constructor(
    @Inject(OPEN_GATEWAY) private readonly open: OpenGateway,
    @Inject(TRACING) private readonly tracing: Tracing,
    @Inject(MCP_METRICS) private readonly metrics: McpMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws a ToolFailure and nothing else. */
  async run(run: Run, work: (call: ToolCall) => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const { tool, exchange, signal, progress, idempotencyKey } = run;
    const { caller, requestId } = exchange;
    const span = this.tracing.startSpan(`tools/call ${tool.name}`, { role: 'server', parent: exchange.traceparent });
    const traceparent = span?.traceparent ?? continueTrace(exchange.traceparent).traceparent;
    const stop = this.metrics.toolSeconds.startTimer({ tool: tool.name });
    const asker = { apiKey: caller.apiKey, address: caller.address, traceparent, idempotencyKey };
    this.metrics.running.inc();
    let outcome: Ended = 'ok';
    let gatewayRequestId: unknown;
    try {
      const answer = await work({ ...this.open(asker, signal), caller, signal, progress });
      gatewayRequestId = (answer.structured.gateway as { request_id?: unknown } | undefined)?.request_id;
      return answer;
    } catch (error) {
      const failure = this.#asFailure(error, requestId);
      gatewayRequestId = failure.details.requestId;
      outcome = signal.aborted ? 'cancelled' : outcomeOf(failure);
      throw failure;
    } finally {
      this.metrics.running.dec();
      const attributes = { 'gateway.request_id': requestId, 'gen_ai.tool.name': tool.name };
      span?.end({ attributes, ...(outcome === 'failed' && { errorType: outcome }) });
      this.metrics.toolCalls.inc({ tool: tool.name, outcome });
      const durationMs = Math.round(stop() * 1_000);
      this.logger.info(
        { requestId, gatewayRequestId, traceparent, tool: tool.name, outcome, durationMs },
        'tool called',
      );
    }
  }

  #asFailure(error: unknown, requestId: RequestId): ToolFailure {
    if (error instanceof ToolFailure) return error;
    this.logger.error({ requestId, err: error }, 'a tool failed inside');
    return new ToolFailure('internal_error', 'The server had an error while processing your request.', { requestId });
  }
}

const SERVER_ERROR = 500;

/** A refusal is the caller's to act on; anything else is somebody's fault. */
const outcomeOf = ({ details: { status = SERVER_ERROR } }: ToolFailure): Ended =>
  status < SERVER_ERROR ? 'refused' : 'failed';
