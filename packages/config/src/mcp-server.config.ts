import { z } from 'zod';
import { readTracing, tracingVariables } from './tracing-variables.js';
import { commonVariables, count, httpUrl, list, milliseconds, readCommon, trustedProxies } from './variables.js';

const MEBIBYTE = 1024 * 1024;

/** What a browser on the developer's own machine calls this machine. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

export const mcpServerConfig = z
  .object({
    ...commonVariables,
    ...tracingVariables,
    /** The gateway: every tool is a call of it, with the caller's own key. */
    EDGE_URL: httpUrl,
    /** The account interface, for quotes and balances. */
    ACCOUNT_URL: httpUrl,
    /** Names (without ports) by which this server may be called; in production any if it is not set. */
    MCP_ALLOWED_HOSTS: list.optional(),
    /** Names of sites whose pages may call it; none in production if it is not set. A call without an origin is no page's. */
    MCP_ALLOWED_ORIGINS: list.optional(),
    /** The tools that are offered at all; every one if it is not set. */
    MCP_TOOLS: list.optional(),
    /** A request carries images in base64, which is a third longer than they are. */
    MCP_BODY_LIMIT_BYTES: count.default(48 * MEBIBYTE),
    /** Calls of one key at the same time on this server: a wait costs the gateway no place, so it must cost one here. */
    MCP_CALLS_PER_KEY: count.default(100),
    /** The longest that one tool may run: a little longer than the gateway's own deadline. */
    MCP_CALL_TIMEOUT_MS: milliseconds.default(660_000),
    TRUSTED_PROXIES: trustedProxies,
  })
  .transform((variables) => {
    const namesByDefault = variables.NODE_ENV === 'production' ? undefined : THIS_MACHINE;
    return {
      ...readCommon(variables),
      edgeUrl: variables.EDGE_URL,
      accountUrl: variables.ACCOUNT_URL,
      /** Undefined: any. */
      allowedHosts: variables.MCP_ALLOWED_HOSTS ?? namesByDefault,
      allowedOrigins: variables.MCP_ALLOWED_ORIGINS ?? namesByDefault ?? [],
      /** Undefined: all. */
      tools: variables.MCP_TOOLS,
      bodyLimitBytes: variables.MCP_BODY_LIMIT_BYTES,
      callsPerKey: variables.MCP_CALLS_PER_KEY,
      callTimeoutMs: variables.MCP_CALL_TIMEOUT_MS,
      trustedProxies: variables.TRUSTED_PROXIES,
      tracing: readTracing(variables),
    };
  });

export type McpServerConfig = z.output<typeof mcpServerConfig>;
