import type { RequestId } from '@gateway/contracts';
import { continueTrace, type Logger, type Tracing } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { McpRequest, OpenGateway } from '../gateway.js';
import type { McpMetrics } from '../metrics.js';
import { LOGGER, MCP_METRICS, OPEN_GATEWAY, TRACING } from '../tokens.js';
import type { ReportProgress, Tool, ToolContext, ToolResult } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';

export interface ToolRun {
  readonly tool: Tool;
  readonly mcpRequest: McpRequest;
  readonly signal: AbortSignal;
  readonly progress: ReportProgress | undefined;
  readonly idempotencyKey: string | undefined;
}

type Outcome = 'ok' | 'refused' | 'cancelled' | 'failed';

/** Runs one tool with metrics, a span and one log line. Converts every error into a ToolFailure. */
@Injectable()
export class RunTool {
  constructor(
    @Inject(OPEN_GATEWAY) private readonly open: OpenGateway,
    @Inject(TRACING) private readonly tracing: Tracing,
    @Inject(MCP_METRICS) private readonly metrics: McpMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws only ToolFailure. */
  async run(run: ToolRun, work: (call: ToolContext) => Promise<ToolResult>): Promise<ToolResult> {
    const { tool, mcpRequest, signal, progress, idempotencyKey } = run;
    const { caller, requestId } = mcpRequest;
    const span = this.tracing.startSpan(`tools/call ${tool.name}`, { role: 'server', parent: mcpRequest.traceparent });
    const traceparent = span?.traceparent ?? continueTrace(mcpRequest.traceparent).traceparent;
    const stop = this.metrics.toolSeconds.startTimer({ tool: tool.name });
    const identity = { apiKey: caller.apiKey, address: caller.address, traceparent, idempotencyKey };
    this.metrics.running.inc();
    let outcome: Outcome = 'ok';
    let gatewayRequestId: unknown;
    try {
      const result = await work({ ...this.open(identity, signal), caller, signal, progress });
      gatewayRequestId = (result.structured.gateway as { request_id?: unknown } | undefined)?.request_id;
      return result;
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
        'tool call ended',
      );
    }
  }

  #asFailure(error: unknown, requestId: RequestId): ToolFailure {
    if (error instanceof ToolFailure) return error;
    this.logger.error({ requestId, err: error }, 'tool call failed unexpectedly');
    return new ToolFailure('internal_error', 'The server had an error while processing your request.', { requestId });
  }
}

const SERVER_ERROR = 500;

/** `refused`: the caller can fix it (4xx). `failed`: the gateway or an upstream has a fault. */
const outcomeOf = ({ details: { status = SERVER_ERROR } }: ToolFailure): Outcome =>
  status < SERVER_ERROR ? 'refused' : 'failed';
