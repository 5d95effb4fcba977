import { HttpPools, INTERNAL_SERVICES } from '@gateway/http';
import type { Provider } from '@nestjs/common';
import { GatewayClient } from './call-gateway/gateway-client.js';
import { OPEN_GATEWAY, type OpenGateway } from './gateway.js';
import type { McpConfig } from './mcp-config.js';

const ANSWER_LIMIT_BYTES = 192 * 1024 * 1024;
const ACCOUNT_TIMEOUT_MS = 10_000;
const ACCOUNT_LIMIT_BYTES = 4 * 1024 * 1024;
const PROBE_TIMEOUT_MS = 2_000;

/** Everything outside this process that it holds open: connections to the gateway, and nothing else. */
export class McpDoors {
  readonly #pools = new HttpPools({ ...INTERNAL_SERVICES, connections: 4_096 });
  readonly providers: readonly Provider[];

  constructor(private readonly config: McpConfig) {
    const { edgeUrl, accountUrl, callTimeoutMs } = config;
    const edge = { url: edgeUrl, timeoutMs: callTimeoutMs, limitBytes: ANSWER_LIMIT_BYTES };
    const billing = { url: accountUrl, timeoutMs: ACCOUNT_TIMEOUT_MS, limitBytes: ACCOUNT_LIMIT_BYTES };
    const open: OpenGateway = (asker, signal) => ({
      gateway: new GatewayClient(this.#pools, edge, asker, signal),
      account: new GatewayClient(this.#pools, billing, asker, signal),
    });
    this.providers = [{ provide: OPEN_GATEWAY, useValue: open }];
  }

  /** Rejects if no edge answers at all. */
  async ping(): Promise<void> {
    const request = { method: 'GET', url: `${this.config.edgeUrl}/healthz`, headers: {}, body: null } as const;
    const timeouts = { headersTimeoutMs: PROBE_TIMEOUT_MS, bodyTimeoutMs: PROBE_TIMEOUT_MS };
    const answer = await this.#pools.send(request, { ...timeouts, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await answer.dump();
    if (answer.status !== 200) throw new Error(`the edge answers ${answer.status}`);
  }

  close(): Promise<void> {
    return this.#pools.close();
  }
}
