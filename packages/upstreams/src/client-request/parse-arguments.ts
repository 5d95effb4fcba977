import { parseExactObject } from '@gateway/contracts';
import { invalidRequest } from './refuse-request.js';

/** Parses the arguments of a tool call. Throws a GatewayError (400) that names them if they are no JSON object. */
export function parseArguments(text: string, path: string): object {
  if (text.trim() === '') return {};
  const parsed = parseExactObject(text);
  if (parsed !== undefined) return parsed;
  throw invalidRequest('The arguments of a tool call must be a JSON object.', path);
}
