import type { McpServerConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import type { NanoUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { Inject, Injectable } from '@nestjs/common';
import { CallTool } from '../../call-tool.service.js';
import { chooseTools } from '../../choose-tools/choose-tools.js';
import { describeTool } from '../../choose-tools/describe-tool.js';
import type { McpRequest } from '../../gateway.js';
import { readAmount } from '../../limit-cost/read-amount.js';
import { RunningCalls } from '../../run-tool/running-calls.service.js';
import { LOGGER, MCP_CONFIG } from '../../tokens.js';
import type { Arguments, Tool } from '../../tool.js';
import { ToolFailure } from '../../tool-failure.js';
import { TOOLS } from '../../tools/all-tools.js';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.js';
import { failedResult, progressOf, resultOf } from './tool-result.js';

interface Prepared {
  readonly mcpRequest: McpRequest;
  readonly sessionId: string;
  readonly tools: readonly Tool[];
  readonly ceiling: NanoUsd | undefined;
}

/** Creates one protocol server for each request, with the caller's tools, ceiling and key. */
@Injectable()
export class McpServers {
  readonly #prepared = new WeakMap<Request, Prepared>();

  constructor(
    private readonly callTool: CallTool,
    private readonly running: RunningCalls,
    @Inject(MCP_CONFIG) private readonly config: McpServerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reads the headers `x-mcp-tools` and `x-max-cost-usd`. Throws 400 if one is invalid. */
  prepare(request: Request, mcpRequest: McpRequest, sessionId: string): void {
    const choice = { offered: this.config.tools, requested: request.headers.get('x-mcp-tools') ?? undefined };
    const tools = chooseTools(TOOLS, mcpRequest.caller.models, choice);
    this.#prepared.set(request, { mcpRequest, sessionId, tools, ceiling: ceilingOf(request) });
  }

  open(request: Request | undefined): Server {
    const prepared = request === undefined ? undefined : this.#prepared.get(request);
    if (prepared === undefined) throw new Error('prepare() was not called for this request');
    const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    const { tools, mcpRequest } = prepared;
    server.setRequestHandler('tools/list', () => ({
      tools: tools.map((tool) => describeTool(tool, mcpRequest.caller.models)),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.#call(params.name, params.arguments ?? {}, prepared, context),
    );
    return server;
  }

  async #call(name: string, args: Arguments, prepared: Prepared, context: ServerContext): Promise<CallToolResult> {
    const { tools, mcpRequest, sessionId, ceiling } = prepared;
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, this.#unknownTool(name, tools));
    const callId = { keySha256: mcpRequest.caller.keySha256, sessionId, requestId: context.mcpReq.id };
    try {
      return await this.running.run(callId, context.mcpReq.signal, async (signal) => {
        const invocation = { tool, args, mcpRequest: withTrace(context, mcpRequest), ceiling, signal };
        return resultOf(await this.callTool.call({ ...invocation, progress: progressOf(context) }));
      });
    } catch (error) {
      if (error instanceof ToolFailure) return failedResult(error);
      // The library would send the error's message to the client.
      this.logger.error({ requestId: mcpRequest.requestId, err: error }, 'tool call failed unexpectedly');
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        'The server had an error while processing your request.',
      );
    }
  }

  #unknownTool(name: string, tools: readonly Tool[]): string {
    const found = TOOLS.find((tool) => tool.name === name);
    const known = tools.map((tool) => tool.name).join(', ');
    if (found === undefined) return `Tool ${name} not found: there are ${known}`;
    const isOffered = this.config.tools?.includes(name) ?? true;
    return isOffered && found.isOnRequest === true
      ? `Tool ${name} is offered only where the header x-mcp-tools names it`
      : `Tool ${name} is not offered to this key: it may use ${known}`;
  }
}

/** A call's `_meta.traceparent` overrides the request's `traceparent` header. */
function withTrace({ mcpReq }: ServerContext, mcpRequest: McpRequest): McpRequest {
  const traceparent: unknown = mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof traceparent === 'string' ? { ...mcpRequest, traceparent } : mcpRequest;
}

function ceilingOf(request: Request): NanoUsd | undefined {
  const header = request.headers.get('x-max-cost-usd');
  if (header === null) return undefined;
  const amount = readAmount(header);
  if (amount !== undefined) return amount;
  throw new GatewayError('invalid_request', "'x-max-cost-usd': expected an amount of US dollars, such as 0.05.", {
    param: 'x-max-cost-usd',
  });
}
