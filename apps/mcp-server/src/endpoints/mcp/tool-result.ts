import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { ReportProgress, ToolAnswer } from '../../tool.js';
import type { ToolFailure } from '../../tool-failure.js';

/** Undefined if the client did not ask to be told. */
export function progressOf({ mcpReq }: ServerContext): ReportProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message, total) => {
    const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
    return mcpReq.notify({ method: 'notifications/progress', params });
  };
}

/** A tool's answer on the wire. */
export const resultOf = ({ content, structured }: ToolAnswer): CallToolResult => ({
  content: [...content],
  structuredContent: { ...structured },
});

/** The gateway's code and words, and the id under which the request can be asked after. */
export function failedResult({
  code,
  message,
  details: { requestId, retryAfterSeconds, status },
}: ToolFailure): CallToolResult {
  const again = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const named = requestId === undefined ? '' : ` (request ${requestId})`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}${again}${named}` }],
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
