import type { NanoUsd } from '@gateway/money';
import { Injectable } from '@nestjs/common';
import type { Exchange } from './caller.js';
import { limitCost } from './limit-cost/limit-cost.js';
import { lowest, readAmount } from './limit-cost/read-amount.js';
import { splitArguments } from './own-arguments.js';
import { RunTool } from './run-tool/run-tool.service.js';
import type { Arguments, PaidTool, ReportProgress, Tool, ToolAnswer, ToolCall } from './tool.js';
import { wrongArgument } from './tool-failure.js';

export interface CalledTool {
  readonly tool: Tool;
  readonly given: Arguments;
  readonly exchange: Exchange;
  /** Of the request's header; an argument can only lower it. */
  readonly ceiling: NanoUsd | undefined;
  readonly signal: AbortSignal;
  readonly progress: ReportProgress | undefined;
}

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The spine of a tool call: arguments, ceiling, the gateway. */
@Injectable()
export class CallTool {
  constructor(private readonly runTool: RunTool) {}

  /** Throws a ToolFailure and nothing else. */
  call({ tool, given, ceiling, ...called }: CalledTool): Promise<ToolAnswer> {
    const { own, rest } = splitArguments(given);
    const run = {
      ...called,
      tool,
      idempotencyKey: typeof own.idempotencyKey === 'string' ? own.idempotencyKey : undefined,
    };
    return this.runTool.run(run, async (call) => {
      if (tool.kind === 'free') return tool.run(given, call);
      if (own.idempotencyKey !== undefined && !KEY.test(String(own.idempotencyKey))) {
        throw wrongArgument('idempotency_key', 'expected 1 to 255 printable ASCII characters.');
      }
      return this.#pay(tool, rest, call, lowest(ceiling, ceilingOf(own.maxCostUsd)));
    });
  }

  async #pay(tool: PaidTool, given: Arguments, call: ToolCall, ceiling: NanoUsd | undefined): Promise<ToolAnswer> {
    const body = tool.bodyOf(given);
    if (ceiling !== undefined) await limitCost(call.account, tool.endpoint, tool.quotedAs?.(body) ?? body, ceiling);
    return tool.run(body, call);
  }
}

function ceilingOf(given: unknown): NanoUsd | undefined {
  if (given === undefined || given === null) return undefined;
  const amount = readAmount(given);
  if (amount === undefined) throw wrongArgument('max_cost_usd', 'expected an amount of US dollars, such as 0.05.');
  return amount;
}
