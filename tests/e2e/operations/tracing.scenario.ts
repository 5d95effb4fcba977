import {
  eventually,
  fullResponse,
  type ReceivedSpan,
  startTestStack,
  TraceCollector,
  WebhookReceiver,
} from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { TasksKit } from '../videos/task-requests.js';

jest.setTimeout(90_000);

const collector = await TraceCollector.open();
const receiver = await WebhookReceiver.open();
const stack = await startTestStack({
  commonEnv: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  env: { 'video-worker': { POLL_FASTEST_MS: '100', POLL_SLOWEST_MS: '300' } },
});
afterAll(async () => {
  await stack.stop();
  await receiver.close();
  collector.close();
});

const customer = await stack.createCustomer({ creditUsd: '10' });
const videos = await TasksKit.open(stack, 'wn2.7-t2v');

const SECRET = 'a word that nobody else has any business to read';
const callerSpanId = 'b7ad6b7169203331';

const ask = (content: string, headers: Record<string, string> = {}, more: object = {}) =>
  fullResponse(stack.baseUrl, {
    key: customer.apiKey,
    headers,
    body: { model: 'gm-2.5-flash', messages: [{ role: 'user', content }], ...more },
  });

const byService = (trace: readonly ReceivedSpan[], service: string): ReceivedSpan =>
  trace.find((span) => span.service === service) as ReceivedSpan;
const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan =>
  spans.find((span) => span.name === name) as ReceivedSpan;

/** A task of a client that traces, from its submission to its webhook. */
async function video(traceparent: string, directives: string): Promise<string> {
  const text = videos.mark(`task_seconds=1 ${directives}`);
  const answer = await videos.submit(`${text} ${SECRET}`, { webhook_url: receiver.url }, { traceparent });
  expect(answer.status).toBe(202);
  const { id } = answer.json<{ id: string }>();
  const { status } = await videos.ended(id);
  await eventually(() =>
    expect(receiver.received.some(({ body }) => body.includes(id) && body.includes(status))).toBe(true),
  );
  return String(answer.headers['x-request-id']);
}

describe('traces', () => {
  it("follow a request from the caller's span over the edge and the worker to the upstream", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const answer = await ask(SECRET, { traceparent: `00-${traceId}-${callerSpanId}-01` });
    expect(answer.status).toBe(200);
    const requestId = String(answer.headers['x-request-id']);
    const trace = await collector.traceOf(requestId, 3);

    const edge = byService(trace, 'gateway-api-edge');
    const [worker, upstream] = [named(trace, 'run chat'), named(trace, 'chat gm-2.5-flash')];
    expect([edge.traceId, edge.parentSpanId]).toEqual([traceId, callerSpanId]);
    expect([worker.parentSpanId, upstream.parentSpanId]).toEqual([edge.spanId, worker.spanId]);
    expect(edge.said).toMatchObject({
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'gen_ai.request.model': 'gm-2.5-flash',
    });
    expect(worker.said).toMatchObject({
      'gateway.request_id': requestId,
      'gateway.outcome': 'completed',
      'gen_ai.operation.name': 'chat',
    });
    expect(Number(worker.said['gen_ai.usage.output_tokens'])).toBeGreaterThan(0);
    expect(BigInt(upstream.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(worker.startTimeUnixNano));
  });

  it('begin here where the caller does not trace, and tell what failed', async () => {
    const answer = await ask('{{sim status=400}} no');
    const trace = await collector.traceOf(String(answer.headers['x-request-id']), 3);
    expect(byService(trace, 'gateway-api-edge').parentSpanId ?? '').toBe('');
    const upstream = named(trace, 'chat gm-2.5-flash');
    expect([upstream.status?.code, upstream.said['http.response.status_code']]).toEqual([2, 400]);
  });

  it('of a stream end with its last byte', async () => {
    const answer = await ask('{{sim chunks=3 chunk_ms=20}} go', {}, { stream: true });
    const trace = await collector.traceOf(String(answer.headers['x-request-id']), 3);
    const [edge, worker] = [byService(trace, 'gateway-api-edge'), named(trace, 'run chat')];
    expect(BigInt(edge.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(worker.startTimeUnixNano));
    expect(Number(worker.said['gateway.first_byte_ms'])).toBeGreaterThanOrEqual(0);
  });

  it('of a video end with its submission, and what is done for it later goes back to that', async () => {
    const traceId = '1bf7651916cd43dd8448eb211c80319d';
    const requestId = await video(`00-${traceId}-${callerSpanId}-01`, '');
    const trace = await collector.traceOf(requestId, 3);
    const [edge, submission] = [byService(trace, 'gateway-api-edge'), named(trace, 'submit video')];
    const post = named(trace, 'generate_content wn2.7-t2v');
    expect([edge.parentSpanId, submission.parentSpanId, post.parentSpanId]).toEqual([
      callerSpanId,
      edge.spanId,
      submission.spanId,
    ]);
    expect(submission.said).toMatchObject({ 'gateway.request_id': requestId, 'gateway.outcome': 'accepted' });
    expect(post.said).toMatchObject({ 'http.response.status_code': 200, 'gen_ai.request.model': 'wn2.7-t2v' });
    expect(new Set(trace.map(({ name }) => name))).toEqual(new Set([edge.name, submission.name, post.name]));

    const later = await eventually(() => {
      const spans = collector.of(requestId).filter((span) => span.traceId !== traceId);
      expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['complete video', 'deliver webhook']));
      return spans;
    });
    const back = { traceId, spanId: submission.spanId };
    for (const { links } of later) expect(links).toMatchObject([back]);
    const end = named(later, 'complete video');
    expect(end.said).toMatchObject({ 'gateway.task_state': 'succeeded' });
    const look = later.find(({ spanId }) => spanId === end.parentSpanId);
    expect(look).toMatchObject({ name: 'poll video', traceId: end.traceId });
    const question = collector.spans.find((span) => span.parentSpanId === look?.spanId && span.name === 'get_task');
    expect(question?.said).toMatchObject({
      'http.response.status_code': 200,
      'gateway.channel': post.said['gateway.channel'],
    });
    expect(named(later, 'deliver webhook').said).toMatchObject({ 'http.response.status_code': 204 });
  });

  it('of a video tell what it failed of', async () => {
    const requestId = await video(
      `00-2cf7651916cd43dd8448eb211c80319e-${callerSpanId}-01`,
      'task_fail=DataInspectionFailed',
    );
    const end = await eventually(() => {
      const found = named(collector.of(requestId), 'complete video');
      expect(found).toBeDefined();
      return found;
    });
    expect([end.status?.code, end.said['error.type']]).toEqual([2, 'DataInspectionFailed']);
  });

  it('of a caller who keeps none are kept nowhere, however long the request lives on', async () => {
    const unwanted = await video(`00-3df7651916cd43dd8448eb211c80319f-${callerSpanId}-00`, '');
    const wanted = await video(`00-4ef7651916cd43dd8448eb211c803190-${callerSpanId}-01`, '');
    await eventually(() => {
      const told = ['submit video', 'poll video', 'complete video', 'deliver webhook'];
      expect(collector.of(wanted).map(({ name }) => name)).toEqual(expect.arrayContaining(told));
    });
    expect(collector.of(unwanted)).toEqual([]);
  });

  it('hold nothing that anybody wrote, no key, and no address of a vendor or a customer', () => {
    expect(collector.received).not.toContain(SECRET);
    expect(collector.received).not.toMatch(/sk-|Bearer|credential/);
    expect(collector.received).not.toContain(new URL(receiver.url).host);
    expect(collector.received).not.toContain(new URL(stack.system.simulatorUrl).host);
  });
});
