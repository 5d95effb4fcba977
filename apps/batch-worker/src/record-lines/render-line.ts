import { type BatchFormat, type ErrorRecord, renderError } from '@gateway/contracts';
import type { LineEnd } from './line-end.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;

/** A line of results with its newline, in the format of the batch. */
export const renderLine = (format: BatchFormat, end: LineEnd): Buffer =>
  format === 'openai' ? renderOpenAi(end) : renderAnthropic(end);

/** OpenAI: https://platform.openai.com/docs/api-reference/batch/request-output. A wrong line also names its number. */
function renderOpenAi({ line, customId, response, error }: LineEnd): Buffer {
  const id = response === undefined ? `batch_req_line_${line}` : `batch_${response.requestId}`;
  const head = `{"id":"${id}","custom_id":${JSON.stringify(customId)},"response":`;
  const tail = error === undefined ? 'null' : JSON.stringify({ ...error, line });
  if (response === undefined) return Buffer.from(`${head}null,"error":${tail}}\n`);
  const { status, requestId } = response;
  return Buffer.concat([
    Buffer.from(`${head}{"status_code":${status},"request_id":"${requestId}","body":`),
    inOneLine(response.body),
    Buffer.from(`},"error":${tail}}\n`),
  ]);
}

/** Anthropic: https://docs.anthropic.com/en/api/retrieving-message-batch-results. */
function renderAnthropic({ customId, outcome, response, error }: LineEnd): Buffer {
  const head = `{"custom_id":${JSON.stringify(customId)},"result":`;
  if (outcome === 'expired' || outcome === 'cancelled') {
    return Buffer.from(`${head}{"type":"${outcome === 'expired' ? 'expired' : 'canceled'}"}}\n`);
  }
  const [type, member] = outcome === 'completed' ? ['succeeded', 'message'] : ['errored', 'error'];
  const body = response === undefined ? refusalOf(error) : inOneLine(response.body);
  return Buffer.concat([Buffer.from(`${head}{"type":"${type}","${member}":`), body, Buffer.from('}}\n')]);
}

/** Without an id: no request has run. */
function refusalOf(error: LineEnd['error']): Buffer {
  const code = error?.code === 'invalid_api_key' ? 'invalid_api_key' : 'invalid_request';
  const record = { code, message: error?.message ?? '' } as ErrorRecord;
  return Buffer.from(JSON.stringify({ ...renderError('anthropic', record, ''), request_id: null }));
}

/** JSON has line breaks only between its values. What is no JSON becomes a text. */
function inOneLine(body: Buffer): Buffer {
  if (!isJson(body)) return Buffer.from(JSON.stringify(body.toString('utf8')));
  if (!body.includes(NEWLINE) && !body.includes(RETURN)) return body;
  return Buffer.from(body.map((byte) => (byte === NEWLINE || byte === RETURN ? SPACE : byte)));
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
