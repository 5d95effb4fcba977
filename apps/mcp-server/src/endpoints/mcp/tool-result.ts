import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { ReportProgress, ToolResult } from '../../tool.js';
import type { ToolFailure } from '../../tool-failure.js';

/** Undefined if the client did not request progress. */
export function progressOf({ mcpReq }: ServerContext): ReportProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message, total) => {
    const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
    return mcpReq.notify({ method: 'notifications/progress', params });
  };
}

/** Converts a tool's result to the protocol's form. */
export const resultOf = ({ content, structured }: ToolResult): CallToolResult => ({
  content: [...content],
  structuredContent: { ...structured },
});

/** Converts a failure to a result with `isError`: code, message, retry time and request id. */
export function failedResult({
  code,
  message,
  details: { requestId, retryAfterSeconds, status },
}: ToolFailure): CallToolResult {
  const retryHint = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const requestHint = requestId === undefined ? '' : ` (request ${requestId})`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}${retryHint}${requestHint}` }],
    _meta: {
      'gateway/error': {
        code,
        message,
        ...(status !== undefined && { status }),
        ...(requestId !== undefined && { request_id: requestId }),
        ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
      },
    },
  };
}
