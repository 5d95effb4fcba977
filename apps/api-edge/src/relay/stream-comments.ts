import type { Endpoint } from '@gateway/contracts';
import { KEEP_ALIVE } from '../http/begin-heartbeat.js';

/** Google's client libraries for Python and Go take each line that is not blank for data, also a comment. */
export const takesComments = ({ endpoint }: { readonly endpoint: Endpoint }): boolean =>
  endpoint !== 'models.stream_generate_content';

const COMMENT = Buffer.from(KEEP_ALIVE);
const BLANK_LINE = Buffer.from('\n\n');

/** What a silent stream sends between two events, so that its client does not take the connection for dead. */
export const heartbeatOf = (request: { readonly endpoint: Endpoint }): Buffer =>
  takesComments(request) ? COMMENT : BLANK_LINE;
