import { GatewayError } from '../errors/gateway-error.js';
import * as jsonBytes from '../json/json-bytes.js';
import { expectedMember } from './continuation.js';
import { elementsOfList } from './response-elements.js';

/*
 * Stored interactions. A history is a list of steps, which each turn extends by its input and by its own steps.
 */

const MEMBER = 'previous_interaction_id';
const MAX_SHOWN = 100;

/** True for the ids that this gateway stores. Those of image models belong to their vendor. */
export const isInteractionId = (id: string): boolean => /^int_[a-z0-9]{26}$/.test(id);

/** The interaction that a request continues. Undefined also for one that its vendor stores. Throws a 400 for a wrong value. */
export function readPreviousInteraction(value: unknown): string | undefined {
  if (value == null) return undefined;
  if (typeof value !== 'string' || value === '')
    throw expectedMember(MEMBER, "the id of an interaction, such as 'int_…'");
  return value.startsWith('int_') ? value : undefined;
}

const IS_OF_VENDOR =
  ' The vendor stores an interaction of an image model: it can be continued by its id, and not be read.';

/** `v1_…`: the id of an interaction that its vendor stores. */
export const noInteraction = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    `Interaction with id '${id.slice(0, MAX_SHOWN)}' not found.${id.startsWith('v1_') ? IS_OF_VENDOR : ''}`,
  );

export const noPreviousInteraction = (id: string): GatewayError =>
  new GatewayError(
    'previous_response_not_found',
    `Previous interaction with id '${id.slice(0, MAX_SHOWN)}' not found.`,
    {
      param: MEMBER,
    },
  );

export const previousInteractionRuns = (id: string): GatewayError =>
  new GatewayError('request_in_progress', `Previous interaction with id '${id}' still runs in the background.`, {
    param: MEMBER,
  });

const CONTENTS: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'video', 'document']);
const inTurn = (contents: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"type":"user_input","content":['), contents, Buffer.from(']}')]);
const textContent = (text: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"type":"text","text":'), text, Buffer.from('}')]);

/** The type of the first element of a list. */
function firstType(list: Buffer): string {
  const open = list.indexOf(jsonBytes.OPEN_OBJECT);
  if (open === -1) return '';
  const object = list.subarray(open);
  const type = jsonBytes.locateMembers(object).find(({ name }) => name === 'type');
  return type === undefined ? '' : object.toString('utf8', type.start + 1, type.end - 1);
}

/** The input of a request as steps, without the brackets of their list. A text and contents are one turn of a user. */
export function stepsOfInput(input: Buffer): Buffer {
  if (input[0] === jsonBytes.QUOTE) return inTurn(textContent(input));
  if (input[0] !== jsonBytes.OPEN_ARRAY) return inTurn(input);
  const elements = elementsOfList(input);
  return CONTENTS.has(firstType(input)) ? inTurn(elements) : elements;
}
