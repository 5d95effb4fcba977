import { MODELS, modelEntry } from '@gateway/catalogue';
import { loadConfig, mcpServerConfig } from '@gateway/config';
import { type ModelEntry, newApiKey } from '@gateway/contracts';
import { createLogger, createMetrics, type Metrics, NO_TRACING } from '@gateway/observability';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type RunningMcpServer, startMcpServer } from '../start-mcp-server.js';
import { FakeGateway } from './fake-gateway.js';

export const ALL_MODELS: readonly ModelEntry[] = MODELS.flatMap((model) => modelEntry(model, Date.now()) ?? []);

/** The MCP server with a fake gateway, and MCP clients. */
export class TestServer {
  private constructor(
    readonly gateway: FakeGateway,
    readonly metrics: Metrics,
    readonly running: RunningMcpServer,
    /** May use every model. */
    readonly apiKey: string,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<TestServer> {
    const gateway = await FakeGateway.start();
    gateway.on('GET /healthz', { json: { status: 'ok' } });
    gateway.on('GET /v1/models', { json: { object: 'list', data: ALL_MODELS } });
    const metrics = createMetrics('mcp-server');
    const running = await startMcpServer({
      config: loadConfig('mcp-server', mcpServerConfig, {
        NODE_ENV: 'test',
        PORT: '0',
        HOST: '127.0.0.1',
        EDGE_URL: gateway.url,
        ACCOUNT_URL: gateway.url,
        ...environment,
      }),
      logger: createLogger({ service: 'mcp-server', level: 'silent' }),
      metrics,
      tracing: NO_TRACING,
      isDraining: () => false,
    });
    return new TestServer(gateway, metrics, running, newApiKey());
  }

  get origin(): string {
    return `http://127.0.0.1:${this.running.port}`;
  }

  get url(): URL {
    return new URL(`${this.origin}/mcp`);
  }

  /**
   * Connects the official client. `auto` uses the newest revision, `legacy` starts with the older handshake. A client that
   * knows the tools holds each result against its output schema.
   */
  async connect(
    era: 'auto' | 'legacy' = 'auto',
    headers: Readonly<Record<string, string>> = {},
    apiKey = this.apiKey,
  ): Promise<Client> {
    const client = new Client({ name: 'spec', version: '1.0.0' }, { versionNegotiation: { mode: era } });
    const requestInit = { headers: { authorization: `Bearer ${apiKey}`, ...headers } };
    await client.connect(new StreamableHTTPClientTransport(this.url, { requestInit }));
    await client.listTools();
    return client;
  }

  /** Connects a client, runs `work` and closes the client. */
  async using<Result>(work: (client: Client) => Promise<Result>, ...how: Parameters<TestServer['connect']>) {
    const client = await this.connect(...how);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  call(name: string, args: object, ...how: Parameters<TestServer['connect']>): Promise<CallToolResult> {
    return this.using((client) => client.callTool({ name, arguments: { ...args } }), ...how);
  }

  /** Sends one request without a client library. Sends a string body unchanged. */
  send(body: object | string | undefined, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      ...init,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(init.headers as Record<string, string> | undefined),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async stop(): Promise<void> {
    await this.running.finishCalls(0);
    await this.running.close();
    await this.gateway.close();
  }
}
