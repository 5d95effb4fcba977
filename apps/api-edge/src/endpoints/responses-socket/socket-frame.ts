import { GatewayError, jsonBytes } from '@gateway/contracts';
import { parseJsonBody, rejectOversizedJson } from '@gateway/intake';
import { readStateMembers, type StateMembers } from '../../response-state/request-members.js';

const OPEN = Buffer.from('{');
const COMMA = Buffer.from(',');
const STREAMED = Buffer.from('"stream":true}');

/** A message of a client. */
export interface SocketFrame {
  readonly type: unknown;
  /** False: the client only prepares the next turn. */
  readonly generates: boolean;
  /** The body of the same request over HTTP, as a stream. */
  readonly body: Buffer;
  readonly members: StateMembers;
}

/** A shorter message cannot have too many names or values. */
const SCANNED_BYTES = 64 * 1024;

/** Members that exist on a socket only, or that it implies. */
const OF_SOCKET: ReadonlySet<string> = new Set(['type', 'generate', 'stream']);

/** Throws a 400 for a message that is no JSON object, or that asks for parallel streams or the background. */
export function readFrame(message: Buffer): SocketFrame {
  if (message.toString('latin1', 0, 64).trimStart()[0] !== '{') {
    throw new GatewayError('invalid_json', 'A message must be a JSON object.');
  }
  // Of a long message the server's parser checks the values, which are its body.
  if (message.length > SCANNED_BYTES) rejectOversizedJson(message);
  else parseJsonBody(message);
  const members = jsonBytes.locateMembers(message);
  const memberOf = (name: string): unknown => {
    const member = members.findLast((candidate) => candidate.name === name);
    return member === undefined ? undefined : parseValue(message.toString('utf8', member.start, member.end));
  };
  const type = memberOf('type');
  if (memberOf('stream_id') != null) {
    throw new GatewayError(
      'unsupported_parameter',
      "'stream_id': expected none: a socket runs one response at a time.",
      {
        param: 'stream_id',
      },
    );
  }
  if (memberOf('background') === true) {
    throw new GatewayError('unsupported_parameter', "'background': a socket streams each response to its end.", {
      param: 'background',
    });
  }
  const kept = members.filter(({ name }) => !OF_SOCKET.has(name));
  const parts = kept.flatMap(({ name, start, end }) => [
    Buffer.from(`${JSON.stringify(name)}:`),
    message.subarray(start, end),
    COMMA,
  ]);
  const body = Buffer.concat([OPEN, ...parts, STREAMED]);
  return {
    type,
    generates: memberOf('generate') !== false,
    body,
    members: readStateMembers(body),
  };
}

/** The server's parser reports what is no JSON. */
function parseValue(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
