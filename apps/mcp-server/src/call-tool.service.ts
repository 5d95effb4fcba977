import type { NanoUsd } from '@gateway/money';
import { Injectable } from '@nestjs/common';
import type { McpRequest } from './gateway.js';
import { limitCost } from './limit-cost/limit-cost.js';
import { lowest, readAmount } from './limit-cost/read-amount.js';
import { RunTool } from './run-tool/run-tool.service.js';
import type { Arguments, PaidTool, ReportProgress, Tool, ToolContext, ToolResult } from './tool.js';
import { invalidArgument } from './tool-failure.js';
import { MAX_WAIT_SECONDS, splitArguments } from './tools/call-options.js';
import { runLater } from './tools/later/run-later.js';

export interface ToolInvocation {
  readonly tool: Tool;
  readonly args: Arguments;
  readonly mcpRequest: McpRequest;
  /** Ceiling of the request's header. The argument `max_cost_usd` can only lower it. */
  readonly ceiling: NanoUsd | undefined;
  readonly signal: AbortSignal;
  readonly progress: ReportProgress | undefined;
}

interface CallLimits {
  readonly ceiling: NanoUsd | undefined;
  /** Undefined: the client waits for the result. */
  readonly waitSeconds: number | undefined;
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** Steps of a tool call: validate the options, check the ceiling, call the gateway. */
@Injectable()
export class CallTool {
  constructor(private readonly runTool: RunTool) {}

  /** Throws only ToolFailure. */
  call({ tool, args, ceiling, ...invocation }: ToolInvocation): Promise<ToolResult> {
    const { options, rest } = splitArguments(args);
    const { idempotencyKey, maxCostUsd, waitSeconds } = options;
    const run = {
      ...invocation,
      tool,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    };
    return this.runTool.run(run, async (call) => {
      if (tool.kind === 'free') return tool.run(args, call);
      if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(String(idempotencyKey))) {
        throw invalidArgument('idempotency_key', 'expected 1 to 255 printable ASCII characters.');
      }
      const limits = { ceiling: lowest(ceiling, ceilingOf(maxCostUsd)), waitSeconds: waitOf(tool, waitSeconds) };
      return this.#runPaid(tool, rest, call, limits);
    });
  }

  async #runPaid(
    tool: PaidTool,
    args: Arguments,
    call: ToolContext,
    { ceiling, waitSeconds }: CallLimits,
  ): Promise<ToolResult> {
    const body = tool.bodyOf(args);
    if (ceiling !== undefined) await limitCost(call.account, tool.endpoint, tool.quoteBodyOf?.(body) ?? body, ceiling);
    if (tool.later === undefined || waitSeconds === undefined) return tool.run(body, call);
    return runLater(tool.later, body, call, waitSeconds);
  }
}

function ceilingOf(maxCostUsd: unknown): NanoUsd | undefined {
  if (maxCostUsd === undefined || maxCostUsd === null) return undefined;
  const amount = readAmount(maxCostUsd);
  if (amount === undefined) throw invalidArgument('max_cost_usd', 'expected an amount of US dollars, such as 0.05.');
  return amount;
}

function waitOf({ later }: PaidTool, seconds: unknown): number | undefined {
  if (seconds === undefined || seconds === null) return undefined;
  if (later === undefined) throw invalidArgument('wait_seconds', 'expected none: this tool returns at once.');
  if (Number.isInteger(seconds) && Number(seconds) >= 0 && Number(seconds) <= MAX_WAIT_SECONDS) return Number(seconds);
  throw invalidArgument('wait_seconds', `expected a whole number from 0 to ${MAX_WAIT_SECONDS}.`);
}
