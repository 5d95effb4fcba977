import { ENDPOINTS, isFinalRequestStatus } from '@gateway/contracts';
import type { FreeTool, PaidTool, ToolContext, ToolResult } from '../../tool.js';
import { pollUntil } from '../poll-until.js';
import { timeoutSeconds } from '../timeout-seconds.js';
import {
  isEventStream,
  type RequestSnapshot,
  readRequest,
  requestIdHint,
  requestIdInput,
  requestOutput,
  requestPath,
  requestResult,
} from './request-record.js';

const TIMEOUT = timeoutSeconds({ least: 0, most: 300, byDefault: 60 });

/** Creates the tool that reads the results of the given tools. */
export function createGetResultTool(paid: readonly PaidTool[]): FreeTool {
  const laterAt = new Map(paid.map(({ endpoint, later }) => [ENDPOINTS[endpoint].path as string, later]));

  const resultOf = async (
    { request, facts }: RequestSnapshot,
    path: string,
    call: ToolContext,
  ): Promise<ToolResult> => {
    const later = laterAt.get(request.endpoint);
    if (later === undefined || isEventStream(request)) return requestResult({ request, facts });
    const { content, structured } = await later.resultOf(
      await call.gateway.request({ method: 'GET', path: `${path}/result` }),
    );
    return { content, structured: { ...structured, request } };
  };

  return {
    kind: 'free',
    name: 'get_result',
    title: 'Get the result of a request',
    description:
      'Waits for a request that another tool has begun with wait_seconds, and returns what that tool would have returned. After ' +
      'the time-out it returns the unfinished request: call it again. Reading costs nothing, as often as you like.',
    input: requestIdInput.extend({ timeout_seconds: TIMEOUT.input }),
    hints: {
      ...requestIdHint,
      timeout_seconds: TIMEOUT.hint,
    },
    output: requestOutput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

    async run(args, call) {
      const path = requestPath(args);
      const snapshot = await pollUntil(
        {
          read: () => readRequest(call, path),
          isDone: ({ request }) => isFinalRequestStatus(request.status),
          describe: ({ request }) => request.status,
          seconds: TIMEOUT.of(args),
        },
        call,
      );
      return isFinalRequestStatus(snapshot.request.status) ? resultOf(snapshot, path, call) : requestResult(snapshot);
    },
  };
}
