import { createLogger, createMetrics, type SpanHandle, type Tracing } from '@gateway/observability';
import { describe, expect, it } from '@jest/globals';
import type { CallerIdentity } from '../gateway.js';
import { mcpMetrics } from '../metrics.js';
import { FakeClient, MCP_REQUEST, PAID_TOOL, rejecting, responseOf } from '../test-support/fakes.js';
import { ToolFailure } from '../tool-failure.js';
import { RunTool } from './run-tool.service.js';

interface LogLine {
  readonly msg: string;
  readonly outcome?: string;
  readonly gatewayRequestId?: string;
}

function setUp(gateway = new FakeClient(() => responseOf({ ok: true }))) {
  const identities: CallerIdentity[] = [];
  const spans: object[] = [];
  const lines: LogLine[] = [];
  const metrics = createMetrics('mcp-server');
  const logger = createLogger({ service: 'mcp-server', level: 'silent' });
  const record = (fields: object, msg: string) => void lines.push({ ...fields, msg });
  const tracing = {
    startSpan: () => ({ traceparent: 'span-trace', end: (update: object) => void spans.push(update) }) as SpanHandle,
  } as Partial<Tracing> as Tracing;
  const open = (identity: CallerIdentity) => {
    identities.push(identity);
    return { gateway, account: gateway };
  };
  const runTool = new RunTool(
    open,
    tracing,
    mcpMetrics(metrics),
    Object.assign(logger, { info: record, error: record }),
  );
  const signal = new AbortController();
  const run = (work: Parameters<RunTool['run']>[1] = (call) => PAID_TOOL.run({}, call)) =>
    runTool.run(
      { tool: PAID_TOOL, mcpRequest: MCP_REQUEST, signal: signal.signal, progress: undefined, idempotencyKey: 'key-1' },
      work,
    );
  return { run, signal, identities, spans, lines, scrape: () => metrics.registry.metrics() };
}

describe('RunTool', () => {
  it('opens the gateway with the key, the address, the trace and the idempotency key of the caller', async () => {
    const { run, identities } = setUp();
    await run();
    expect(identities).toEqual([
      { apiKey: 'sk-test', address: '127.0.0.1', traceparent: 'span-trace', idempotencyKey: 'key-1' },
    ]);
  });

  it('logs and counts a successful call with the request id of the gateway', async () => {
    const { run, lines, spans, scrape } = setUp();
    await expect(run()).resolves.toMatchObject({ structured: { gateway: { request_id: 'req_gateway' } } });
    expect(lines).toMatchObject([{ msg: 'tool call ended', outcome: 'ok', gatewayRequestId: 'req_gateway' }]);
    expect(spans).toEqual([{ attributes: expect.objectContaining({ 'gen_ai.tool.name': 'paid' }) }]);
    expect(await scrape()).toMatch(/gateway_mcp_tool_calls_total\{tool="paid",outcome="ok",service="mcp-server"\} 1/);
    expect(await scrape()).toMatch(/gateway_mcp_running_calls\{service="mcp-server"\} 0/);
  });

  it.each([
    [402, 'refused'],
    [429, 'refused'],
    [500, 'failed'],
    [503, 'failed'],
    [undefined, 'failed'],
  ])('rethrows a failure with status %p and counts it as %s', async (status, outcome) => {
    const failure = new ToolFailure('code', 'message', { requestId: 'req_1', ...(status !== undefined && { status }) });
    const { run, lines, spans } = setUp(rejecting(failure));
    await expect(run()).rejects.toBe(failure);
    expect(lines).toMatchObject([{ outcome, gatewayRequestId: 'req_1' }]);
    expect(spans).toMatchObject([outcome === 'failed' ? { errorType: 'failed' } : {}]);
  });

  it('counts a failure after a cancellation as cancelled, whatever its status', async () => {
    const { run, signal, lines } = setUp();
    const cancelled = run(async () => {
      signal.abort();
      throw new ToolFailure('service_unavailable', 'The gateway is not available.', { status: 503 });
    });
    await expect(cancelled).rejects.toThrow(ToolFailure);
    expect(lines).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it('hides an unexpected error from the model and logs it', async () => {
    const { run, lines } = setUp(rejecting(new TypeError('secret detail')));
    await expect(run()).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.not.stringContaining('secret'),
      details: { requestId: MCP_REQUEST.requestId },
    });
    expect(lines).toMatchObject([{ msg: 'tool call failed unexpectedly' }, { outcome: 'failed' }]);
  });
});
