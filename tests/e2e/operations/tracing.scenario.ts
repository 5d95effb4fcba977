import {
  eventually,
  fullResponse,
  type ReceivedSpan,
  startTestStack,
  TraceCollector,
  WebhookReceiver,
} from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TaskRequests } from '../videos/task-requests.js';

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
const videos = await TaskRequests.open(stack, 'wn2.7-t2v');

const SECRET = 'user content that no trace may contain';
const callerSpanId = 'b7ad6b7169203331';

const send = (content: string, headers: Record<string, string> = {}, more: object = {}) =>
  fullResponse(stack.baseUrl, {
    key: customer.apiKey,
    headers,
    body: { model: 'gm-2.5-flash', messages: [{ role: 'user', content }], ...more },
  });

const byService = (trace: readonly ReceivedSpan[], service: string): ReceivedSpan =>
  trace.find((span) => span.service === service) as ReceivedSpan;
const spanNamed = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan =>
  spans.find((span) => span.name === name) as ReceivedSpan;

/** A task of a tracing client, from its submission to its webhook. */
async function video(traceparent: string, directives: string): Promise<string> {
  const text = videos.tag(`task_seconds=1 ${directives}`);
  const response = await videos.submit(`${text} ${SECRET}`, { webhook_url: receiver.url }, { traceparent });
  expect(response.status).toBe(202);
  const { id } = response.json<{ id: string }>();
  const { status } = await videos.waitUntilEnded(id);
  await eventually(() =>
    expect(receiver.received.some(({ body }) => body.includes(id) && body.includes(status))).toBe(true),
  );
  return String(response.headers['x-request-id']);
}

describe('traces', () => {
  it("follow a request from the caller's span over edge and worker to the upstream", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const response = await send(SECRET, { traceparent: `00-${traceId}-${callerSpanId}-01` });
    expect(response.status).toBe(200);
    const requestId = String(response.headers['x-request-id']);
    const trace = await collector.traceOf(requestId, 3);

    const edge = byService(trace, 'gateway-api-edge');
    const [worker, upstream] = [spanNamed(trace, 'run chat'), spanNamed(trace, 'chat gm-2.5-flash')];
    expect([edge.traceId, edge.parentSpanId]).toEqual([traceId, callerSpanId]);
    expect([worker.parentSpanId, upstream.parentSpanId]).toEqual([edge.spanId, worker.spanId]);
    expect(edge.attributes).toMatchObject({
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'gen_ai.request.model': 'gm-2.5-flash',
    });
    expect(worker.attributes).toMatchObject({
      'gateway.request_id': requestId,
      'gateway.outcome': 'completed',
      'gen_ai.operation.name': 'chat',
    });
    expect(Number(worker.attributes['gen_ai.usage.output_tokens'])).toBeGreaterThan(0);
    expect(BigInt(upstream.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(worker.startTimeUnixNano));
  });

  it('start at the edge where the caller does not trace, and mark failures', async () => {
    const response = await send('{{sim status=400}} no');
    const trace = await collector.traceOf(String(response.headers['x-request-id']), 3);
    expect(byService(trace, 'gateway-api-edge').parentSpanId ?? '').toBe('');
    const upstream = spanNamed(trace, 'chat gm-2.5-flash');
    expect([upstream.status?.code, upstream.attributes['http.response.status_code']]).toEqual([2, 400]);
  });

  it('of a stream end with its last byte', async () => {
    const response = await send('{{sim chunks=3 chunk_ms=20}} go', {}, { stream: true });
    const trace = await collector.traceOf(String(response.headers['x-request-id']), 3);
    const [edge, worker] = [byService(trace, 'gateway-api-edge'), spanNamed(trace, 'run chat')];
    expect(BigInt(edge.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(worker.startTimeUnixNano));
    expect(Number(worker.attributes['gateway.first_byte_ms'])).toBeGreaterThanOrEqual(0);
  });

  it('of a video end with its submission; later work links back to it', async () => {
    const traceId = '1bf7651916cd43dd8448eb211c80319d';
    const requestId = await video(`00-${traceId}-${callerSpanId}-01`, '');
    const trace = await collector.traceOf(requestId, 3);
    const [edge, submission] = [byService(trace, 'gateway-api-edge'), spanNamed(trace, 'submit video')];
    const post = spanNamed(trace, 'generate_content wn2.7-t2v');
    expect([edge.parentSpanId, submission.parentSpanId, post.parentSpanId]).toEqual([
      callerSpanId,
      edge.spanId,
      submission.spanId,
    ]);
    expect(submission.attributes).toMatchObject({ 'gateway.request_id': requestId, 'gateway.outcome': 'accepted' });
    expect(post.attributes).toMatchObject({ 'http.response.status_code': 200, 'gen_ai.request.model': 'wn2.7-t2v' });
    expect(new Set(trace.map(({ name }) => name))).toEqual(new Set([edge.name, submission.name, post.name]));

    const later = await eventually(() => {
      const spans = collector.spansOf(requestId).filter((span) => span.traceId !== traceId);
      expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['complete video', 'deliver webhook']));
      return spans;
    });
    const submissionLink = { traceId, spanId: submission.spanId };
    for (const { links } of later) expect(links).toMatchObject([submissionLink]);
    const ended = spanNamed(later, 'complete video');
    expect(ended.attributes).toMatchObject({ 'gateway.task_state': 'succeeded' });
    const poll = later.find(({ spanId }) => spanId === ended.parentSpanId);
    expect(poll).toMatchObject({ name: 'poll video', traceId: ended.traceId });
    const query = collector.spans.find((span) => span.parentSpanId === poll?.spanId && span.name === 'get_task');
    expect(query?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'gateway.channel': post.attributes['gateway.channel'],
    });
    expect(spanNamed(later, 'deliver webhook').attributes).toMatchObject({ 'http.response.status_code': 204 });
  });

  it('of a video mark its failure', async () => {
    const requestId = await video(
      `00-2cf7651916cd43dd8448eb211c80319e-${callerSpanId}-01`,
      'task_fail=DataInspectionFailed',
    );
    const ended = await eventually(() => {
      const found = spanNamed(collector.spansOf(requestId), 'complete video');
      expect(found).toBeDefined();
      return found;
    });
    expect([ended.status?.code, ended.attributes['error.type']]).toEqual([2, 'DataInspectionFailed']);
  });

  it('of a caller that does not sample are never recorded', async () => {
    const unsampled = await video(`00-3df7651916cd43dd8448eb211c80319f-${callerSpanId}-00`, '');
    const awaited = await video(`00-4ef7651916cd43dd8448eb211c803190-${callerSpanId}-01`, '');
    await eventually(() => {
      const received = ['submit video', 'poll video', 'complete video', 'deliver webhook'];
      expect(collector.spansOf(awaited).map(({ name }) => name)).toEqual(expect.arrayContaining(received));
    });
    expect(collector.spansOf(unsampled)).toEqual([]);
  });

  it('contain no user content, no key, and no vendor or customer address', () => {
    expect(collector.received).not.toContain(SECRET);
    expect(collector.received).not.toMatch(/sk-|Bearer|credential/);
    expect(collector.received).not.toContain(new URL(receiver.url).host);
    expect(collector.received).not.toContain(new URL(stack.system.simulatorUrl).host);
  });
});
