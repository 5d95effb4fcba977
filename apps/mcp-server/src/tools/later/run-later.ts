import type { DurableRequestRecord } from '@gateway/contracts';
import type { JsonObject, LaterCall, ToolContext, ToolResult } from '../../tool.js';
import { requestResult } from './request-record.js';

const ACCEPTED = 202;

/** The call itself, for a client that waits. */
export const runNow = async (later: LaterCall, body: JsonObject, { gateway }: ToolContext): Promise<ToolResult> =>
  later.resultOf(await gateway.request(await later.requestOf(body)));

/** The call for a client that waits so long, and then takes the request's id. The request goes on in any case. */
export async function runLater(
  later: LaterCall,
  body: JsonObject,
  { gateway }: ToolContext,
  waitSeconds: number,
): Promise<ToolResult> {
  const headers = { prefer: waitSeconds === 0 ? 'respond-async' : `respond-async, wait=${waitSeconds}` };
  const response = await gateway.request({ ...(await later.requestOf(body)), headers });
  if (response.status !== ACCEPTED) return later.resultOf(response);
  return requestResult({ request: await response.json<DurableRequestRecord>(), facts: response.facts });
}
