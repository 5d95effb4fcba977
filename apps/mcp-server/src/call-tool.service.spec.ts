import type { NanoUsd } from '@gateway/money';
import { describe, expect, it } from '@jest/globals';
import { CallTool } from './call-tool.service.js';
import { readAmount } from './limit-cost/read-amount.js';
import type { RunTool, ToolRun } from './run-tool/run-tool.service.js';
import { FakeClient, MCP_REQUEST, PAID_TOOL, rejecting, responseOf, toolContextOf } from './test-support/fakes.js';
import type { FreeTool, Tool } from './tool.js';
import { ToolFailure } from './tool-failure.js';

const FREE_TOOL = {
  kind: 'free',
  name: 'free',
  run: async (args) => ({ content: [], structured: args }),
} as Partial<FreeTool> as FreeTool;

const quoting = (holdUsd: string): FakeClient => new FakeClient(() => responseOf({ valid: true, hold_usd: holdUsd }));

function setUp(account = quoting('0.05')) {
  const gateway = new FakeClient(() => responseOf({}));
  const runs: ToolRun[] = [];
  const runTool = {
    run: (run: ToolRun, work: Parameters<RunTool['run']>[1]) => {
      runs.push(run);
      return work(toolContextOf({ gateway, account }));
    },
  } as Partial<RunTool> as RunTool;
  const callTool = new CallTool(runTool);
  const call = async (args: object, options: { readonly tool?: Tool; readonly ceilingUsd?: string } = {}) =>
    callTool.call({
      tool: options.tool ?? PAID_TOOL,
      args: { ...args },
      mcpRequest: MCP_REQUEST,
      ceiling: options.ceilingUsd === undefined ? undefined : (readAmount(options.ceilingUsd) as NanoUsd),
      signal: new AbortController().signal,
      progress: undefined,
    });
  return { call, gateway, account, runs };
}

describe('CallTool', () => {
  it('sends a paid call without its options, and without a quote if there is no ceiling', async () => {
    const { call, gateway, account, runs } = setUp();
    await call({ model: 'm', idempotency_key: 'key-1' });
    expect(gateway.requests).toEqual([{ method: 'POST', path: '/v1/paid', json: { model: 'm' } }]);
    expect(account.requests).toEqual([]);
    expect(runs).toMatchObject([{ idempotencyKey: 'key-1' }]);
  });

  it.each([
    ['the argument', { max_cost_usd: 0.05 }, undefined],
    ['the header', {}, '0.05'],
    ['the lower argument', { max_cost_usd: 0.05 }, '9'],
    ['the lower header', { max_cost_usd: 9 }, '0.05'],
  ])('makes the call if the hold is at the ceiling of %s', async (_, args, ceilingUsd) => {
    const { call, gateway, account } = setUp();
    await call({ model: 'm', ...args }, ceilingUsd === undefined ? {} : { ceilingUsd });
    expect(account.requests).toHaveLength(1);
    expect(gateway.requests).toHaveLength(1);
  });

  it.each([
    ['the argument', { max_cost_usd: 0.04 }, undefined],
    ['the header', {}, '0.04'],
    ['the lower argument', { max_cost_usd: 0.04 }, '9'],
    ['the lower header', { max_cost_usd: 9 }, '0.04'],
  ])('makes no call if the hold exceeds the ceiling of %s', async (_, args, ceilingUsd) => {
    const { call, gateway } = setUp();
    const refused = call({ model: 'm', ...args }, ceilingUsd === undefined ? {} : { ceilingUsd });
    await expect(refused).rejects.toMatchObject({ code: 'max_cost_exceeded' });
    expect(gateway.requests).toEqual([]);
  });

  it('makes no call while quotes are unavailable', async () => {
    const unavailable = new ToolFailure('service_unavailable', 'The gateway is not available.');
    const { call, gateway } = setUp(rejecting(unavailable));
    await expect(call({ max_cost_usd: 1 })).rejects.toBe(unavailable);
    expect(gateway.requests).toEqual([]);
  });

  it('quotes the body that the tool builds for quotes, and sends the full one', async () => {
    const tool: Tool = { ...PAID_TOOL, quoteBodyOf: () => ({ images: 2 }) };
    const { call, gateway, account } = setUp();
    await call({ images: ['a', 'b'], max_cost_usd: 1 }, { tool });
    expect(account.requests[0]?.json).toEqual({ endpoint: 'chat.completions', body: { images: 2 } });
    expect(gateway.requests[0]?.json).toEqual({ images: ['a', 'b'] });
  });

  it.each(['ü', '', 'x'.repeat(256)])('makes no call for the idempotency key %p', async (key) => {
    const { call, gateway, account } = setUp();
    await expect(call({ idempotency_key: key, max_cost_usd: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^'idempotency_key'/),
    });
    expect([...gateway.requests, ...account.requests]).toEqual([]);
  });

  it.each([-1, 'ten', '1e3', {}, true])('makes no call for the ceiling %p', async (ceiling) => {
    const { call, gateway, account } = setUp();
    await expect(call({ max_cost_usd: ceiling })).rejects.toMatchObject({
      message: expect.stringMatching(/^'max_cost_usd': expected an amount/),
    });
    expect([...gateway.requests, ...account.requests]).toEqual([]);
  });

  it('passes all arguments to a free tool and requests no quote', async () => {
    const { call, account } = setUp();
    const args = { status: 'running', max_cost_usd: 0 };
    expect((await call(args, { tool: FREE_TOOL, ceilingUsd: '0' })).structured).toEqual(args);
    expect(account.requests).toEqual([]);
  });
});
