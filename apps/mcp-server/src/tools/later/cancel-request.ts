import type { DurableRequestRecord } from '@gateway/contracts';
import type { FreeTool } from '../../tool.js';
import { requestIdHint, requestIdInput, requestOutput, requestPath, requestResult } from './request-record.js';

export const cancelRequest: FreeTool = {
  kind: 'free',
  name: 'cancel_request',
  title: 'Cancel a request',
  description:
    'Stops a request that another tool has begun with wait_seconds. The result shows what is still charged: a vendor bills ' +
    'some responses whole once it has begun them.',
  input: requestIdInput,
  hints: requestIdHint,
  output: requestOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },

  async run(args, { gateway }) {
    const response = await gateway.request({ method: 'POST', path: `${requestPath(args)}/cancel`, json: {} });
    return requestResult({ request: await response.json<DurableRequestRecord>(), facts: response.facts });
  },
};
