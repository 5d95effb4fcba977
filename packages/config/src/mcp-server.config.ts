import { z } from 'zod';
import { readTracing, tracingVariables } from './tracing-variables.js';
import {
  commonVariables,
  count,
  httpUrl,
  list,
  milliseconds,
  operatorVariables,
  readCommon,
  requireOperatorPort,
  trustedProxies,
} from './variables.js';

const MEBIBYTE = 1024 * 1024;

/** The host names of this machine in a developer's browser. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export const mcpServerConfig = z
  .object({
    ...commonVariables,
    ...operatorVariables,
    ...tracingVariables,
    /** The gateway. Each tool sends a request to it with the caller's key. */
    EDGE_URL: httpUrl,
    /** The account interface, for quotes and balances. */
    ACCOUNT_URL: httpUrl,
    /** Host names, without ports, that a request may use. Default in production: any. */
    MCP_ALLOWED_HOSTS: list.optional(),
    /** Hosts of web pages that may call this server. Default in production: none. A request without an origin comes from no web page. */
    MCP_ALLOWED_ORIGINS: list.optional(),
    /** The tools to offer. Default: all. */
    MCP_TOOLS: list.optional(),
    /** A request contains images in base64, which adds a third to their size. */
    MCP_BODY_LIMIT_BYTES: count.default(48 * MEBIBYTE),
    /** Concurrent calls of one key on this server. The gateway does not count waiting calls, so this server does. */
    MCP_CALLS_PER_KEY: count.default(100),
    /** Messages of one key to this server, each of a batch, with a burst of half a minute. */
    MESSAGES_PER_SECOND: count.default(100),
    /** The same of all keys of one account together. */
    ACCOUNT_MESSAGES_PER_SECOND: count.default(500),
    /** Time-out of one tool call: a little above the gateway's deadline. */
    MCP_CALL_TIMEOUT_MS: milliseconds.default(660_000),
    TRUSTED_PROXIES: trustedProxies,
    /** Requests of one address without a valid key, and to unknown paths. */
    REFUSALS_PER_SECOND: count.default(20),
  })
  .check(requireOperatorPort)
  .transform((variables) => {
    const defaultHosts = variables.NODE_ENV === 'production' ? undefined : LOCAL_HOSTS;
    return {
      ...readCommon(variables),
      opsPort: variables.OPS_PORT,
      edgeUrl: variables.EDGE_URL,
      accountUrl: variables.ACCOUNT_URL,
      /** Undefined: any. */
      allowedHosts: variables.MCP_ALLOWED_HOSTS ?? defaultHosts,
      allowedOrigins: variables.MCP_ALLOWED_ORIGINS ?? defaultHosts ?? [],
      /** Undefined: all. */
      tools: variables.MCP_TOOLS,
      bodyLimitBytes: variables.MCP_BODY_LIMIT_BYTES,
      callsPerKey: variables.MCP_CALLS_PER_KEY,
      messagesPerSecond: variables.MESSAGES_PER_SECOND,
      accountMessagesPerSecond: variables.ACCOUNT_MESSAGES_PER_SECOND,
      callTimeoutMs: variables.MCP_CALL_TIMEOUT_MS,
      trustedProxies: variables.TRUSTED_PROXIES,
      refusalsPerSecond: variables.REFUSALS_PER_SECOND,
      tracing: readTracing(variables),
    };
  });

export type McpServerConfig = z.output<typeof mcpServerConfig>;
