import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { refuse, unknownParameter } from './openai-errors.js';

const namesOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** With `parsed`: the vendor's own client adds it to an answer, and sends the answer back. */
const MESSAGE_FIELDS = namesOf(
  'role content name refusal audio annotations tool_calls tool_call_id function_call weight parsed',
);
const TOOL_CALL_FIELDS = namesOf('id type function custom');
const FUNCTION_FIELDS = namesOf('name arguments parsed_arguments');
const CUSTOM_FIELDS = namesOf('name input');
const PART_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: namesOf('type text'),
  refusal: namesOf('type refusal'),
  image_url: namesOf('type image_url'),
  input_audio: namesOf('type input_audio'),
  file: namesOf('type file'),
};
const MEDIA_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  image_url: namesOf('url detail'),
  input_audio: namesOf('data format'),
  file: namesOf('file_id file_data filename'),
};

const checkNames = (fields: Fields, known: ReadonlySet<string>, where: string): void => {
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownParameter(`${where}.${unknown}`);
};

/** The simulator has no files, so no account has this one. */
const checkFile = (file: Fields): void => {
  if (isAbsent(file.file_id)) return;
  throw refuse(404, { message: `No such File object: ${textOf(file.file_id)}`, param: 'id' });
};

const checkPart = (part: Fields, where: string): void => {
  const type = textOf(part.type);
  const known = PART_FIELDS[type];
  // Another check names the types that a role may have.
  if (known === undefined) return;
  checkNames(part, known, where);
  const media = MEDIA_FIELDS[type];
  if (media === undefined) return;
  checkNames(fieldsOf(part[type]), media, `${where}.${type}`);
  if (type === 'file') checkFile(fieldsOf(part.file));
};

const checkToolCall = (call: Fields, where: string): void => {
  checkNames(call, TOOL_CALL_FIELDS, where);
  checkNames(fieldsOf(call.function), FUNCTION_FIELDS, `${where}.function`);
  checkNames(fieldsOf(call.custom), CUSTOM_FIELDS, `${where}.custom`);
};

/** The vendor refuses every name inside a message that it does not know. */
export const checkMessageFields = (message: Fields, at: number): void => {
  const where = `messages[${at}]`;
  checkNames(message, MESSAGE_FIELDS, where);
  listOf(message.tool_calls).forEach((call, index) => {
    checkToolCall(fieldsOf(call), `${where}.tool_calls[${index}]`);
  });
  listOf(message.content).forEach((part, index) => {
    checkPart(fieldsOf(part), `${where}.content[${index}]`);
  });
};
