import type { CallToolResult } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as PreviousClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as PreviousTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface McpConnection {
  readonly url: string;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the platform's `fetch`, for instance to spread requests over several servers. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

/** An MCP client for scenarios, independent of the library's release. */
export interface McpClient {
  listTools(): Promise<
    readonly { readonly name: string; readonly inputSchema: object; readonly description?: string | undefined }[]
  >;
  call(name: string, given?: object, options?: CallOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

const clientInfo = { name: 'scenario', version: '1.0.0' };
const initOf = ({ apiKey, headers }: McpConnection) => ({
  requestInit: { headers: { authorization: `Bearer ${apiKey}`, ...headers } },
});
/** A call of a slow model takes longer than the library's default of one minute. */
const TIMEOUT_MS = 90_000;

async function current(to: McpConnection, mode: 'auto' | 'legacy'): Promise<McpClient> {
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  const own = to.fetch === undefined ? {} : { fetch: to.fetch };
  await client.connect(new StreamableHTTPClientTransport(new URL(to.url), { ...initOf(to), ...own }));
  return {
    listTools: async () => (await client.listTools()).tools,
    call: (name, given = {}, options = {}) =>
      client.callTool({ name, arguments: { ...given } }, { timeout: TIMEOUT_MS, ...options }),
    close: () => client.close(),
  };
}

async function previous(to: McpConnection): Promise<McpClient> {
  const client = new PreviousClient(clientInfo);
  const own = to.fetch === undefined ? {} : { fetch: to.fetch };
  await client.connect(
    new PreviousTransport(new URL(to.url), { ...initOf(to), ...own }) as Parameters<typeof client.connect>[0],
  );
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, options = {}) =>
      (await client.callTool({ name, arguments: { ...given } }, undefined, {
        timeout: TIMEOUT_MS,
        ...options,
      })) as CallToolResult,
    close: () => client.close(),
  };
}

/**
 * The official library: its current major release with the newest and with older revisions, and its previous release.
 */
export const MCP_CLIENTS = {
  'current release': (to: McpConnection) => current(to, 'auto'),
  'current release, default mode': (to: McpConnection) => current(to, 'legacy'),
  'previous release': previous,
} as const satisfies Record<string, (to: McpConnection) => Promise<McpClient>>;

/** The text of a result, as a model reads it. */
export const textOf = (result: CallToolResult): string =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
