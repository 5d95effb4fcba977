import { z } from 'zod';
import { nativeResponsesRequest } from './responses.js';
import { responsesRequest } from './responses-request.js';

/*
 * POST /v1/responses/compact: a conversation in, a shorter one out. It is a request for a response, without its form:
 * platform.openai.com/docs/api-reference/responses/compact, and CompactionInput of Codex for the fields beyond it.
 */

const whole = { stream: z.literal(false, 'expected no stream: a compaction comes whole').nullish() };

/** For a model whose upstream compacts itself. */
export const nativeCompactRequest = nativeResponsesRequest.omit({ max_output_tokens: true }).extend(whole).loose();

/** For a model that summarises. */
export const compactRequest = responsesRequest.omit({ max_output_tokens: true }).extend(whole).loose();
