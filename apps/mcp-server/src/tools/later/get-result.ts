import { ENDPOINTS, isFinalRequestStatus } from '@gateway/contracts';
import { z } from 'zod';
import type { Arguments, FreeTool, PaidTool, ToolContext, ToolResult } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { pollUntil } from '../poll-until.js';
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

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 300;

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
    input: requestIdInput.extend({ timeout_seconds: z.int().min(0).max(MAX_SECONDS).optional() }),
    hints: {
      ...requestIdHint,
      timeout_seconds: `Maximum time to wait, 0 to ${MAX_SECONDS}; ${DEFAULT_SECONDS} by default.`,
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
          seconds: secondsOf(args),
        },
        call,
      );
      return isFinalRequestStatus(snapshot.request.status) ? resultOf(snapshot, path, call) : requestResult(snapshot);
    },
  };
}

function secondsOf({ timeout_seconds: seconds = DEFAULT_SECONDS }: Arguments): number {
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS) return seconds;
  throw invalidArgument('timeout_seconds', `expected a number from 0 to ${MAX_SECONDS}.`);
}
