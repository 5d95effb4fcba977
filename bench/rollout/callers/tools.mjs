import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { MODELS, messagesOf } from './models.mjs';

/** Calls a tool of the MCP server and returns its result. */
async function callTool(calls, name, given) {
  const params = { name, arguments: given };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const response = await calls.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  const message = response.text
    .split('\n')
    .findLast((line) => line.startsWith('data: '))
    ?.slice('data: '.length);
  const { result } = JSON.parse(message ?? response.text);
  const requestId = result?.structuredContent?.gateway?.request_id;
  if (result === undefined || result.isError) throw new Fault('5xx', response.text.slice(0, 300), requestId);
  return { result, requestId };
}

/** A tool that runs a model with a cost limit, so that billing must quote it first. */
export function tool({ mcpUrl, apiKey }) {
  const calls = openCalls(mcpUrl, apiKey);
  const given = { model: MODELS.tool, messages: messagesOf('{{sim words=20 delay_ms=200}} Go on'), max_cost_usd: '1' };
  return { kind: 'tool', pauseMs: 100, run: async () => (await callTool(calls, 'chat', given)).requestId };
}

/** Read-only tools of billing and of an edge. They run rarely, so that each meets idle connections. */
export function toolsThatRead({ mcpUrl, apiKey }) {
  const calls = openCalls(mcpUrl, apiKey);
  return {
    kind: 'tools, reading',
    pauseMs: 1_900,
    async run() {
      await callTool(calls, 'get_balance', {});
      await callTool(calls, 'list_videos', {});
    },
  };
}
