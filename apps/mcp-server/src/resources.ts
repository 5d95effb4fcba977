import type { McpServerConfig } from '@gateway/config';
import { HttpPools, INTERNAL_SERVICES } from '@gateway/http';
import type { Provider } from '@nestjs/common';
import { GatewayClient } from './call-gateway/gateway-client.js';
import type { OpenGateway } from './gateway.js';
import { OPEN_GATEWAY } from './tokens.js';

const RESPONSE_LIMIT_BYTES = 192 * 1024 * 1024;
const ACCOUNT_TIMEOUT_MS = 10_000;
const ACCOUNT_LIMIT_BYTES = 4 * 1024 * 1024;
const PROBE_TIMEOUT_MS = 2_000;

/** Opens and closes the HTTP connections to the gateway and its account interface. */
export class McpResources {
  readonly #pools = new HttpPools({ ...INTERNAL_SERVICES, connections: 4_096 });
  readonly providers: readonly Provider[];

  constructor(private readonly config: McpServerConfig) {
    const { edgeUrl, accountUrl, callTimeoutMs } = config;
    const edge = { url: edgeUrl, timeoutMs: callTimeoutMs, limitBytes: RESPONSE_LIMIT_BYTES };
    const billing = { url: accountUrl, timeoutMs: ACCOUNT_TIMEOUT_MS, limitBytes: ACCOUNT_LIMIT_BYTES };
    const open: OpenGateway = (identity, signal) => ({
      gateway: new GatewayClient(this.#pools, edge, identity, signal),
      account: new GatewayClient(this.#pools, billing, identity, signal),
    });
    this.providers = [{ provide: OPEN_GATEWAY, useValue: open }];
  }

  /** Rejects unless `api-edge` answers its liveness probe with 200. */
  async ping(): Promise<void> {
    const request = { method: 'GET', url: `${this.config.edgeUrl}/healthz`, headers: {}, body: null } as const;
    const timeouts = { headersTimeoutMs: PROBE_TIMEOUT_MS, bodyTimeoutMs: PROBE_TIMEOUT_MS };
    const response = await this.#pools.send(request, { ...timeouts, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.dump();
    if (response.status !== 200) throw new Error(`api-edge probe failed: expected status 200, got ${response.status}`);
  }

  close(): Promise<void> {
    return this.#pools.close();
  }
}
