import type { PromptTally } from '../../count/tokens.js';
import { type Fields, isFields, listOf, textOf } from '../../json/fields.js';
import { camelFields, camelList } from './either-case.js';
import { invalid, unknownName } from './gemini-errors.js';
import type { GeminiModel } from './gemini-models.js';

const PART_FIELDS = new Set(
  `text inlineData fileData functionCall functionResponse executableCode codeExecutionResult thought thoughtSignature
  videoMetadata mediaResolution partMetadata`.split(/\s+/),
);

const addMedia = (mimeType: unknown, tally: PromptTally): void => {
  const [kind] = textOf(mimeType).split('/');
  if (kind === 'image') {
    tally.images += 1;
  } else if (kind === 'audio') {
    tally.audios += 1;
  } else if (kind === 'video' || mimeType === undefined) {
    tally.videos += 1;
  } else {
    tally.files += 1;
  }
};

const readInline = (part: Fields, tally: PromptTally): void => {
  const { mimeType, data } = camelFields(part.inlineData);
  if (textOf(mimeType) === '' || textOf(data) === '') {
    throw invalid(
      'Unable to submit request because it must have a mimeType and data in inlineData. Add them and try again.',
    );
  }
  addMedia(mimeType, tally);
};

const readFile = (part: Fields, tally: PromptTally): void => {
  const { fileUri, mimeType } = camelFields(part.fileData);
  if (!/^https?:\/\//.test(textOf(fileUri))) throw invalid(`Invalid or unsupported file uri: ${textOf(fileUri)}`);
  addMedia(mimeType, tally);
};

const readResult = (part: Fields, tally: PromptTally): void => {
  const { name, response } = camelFields(part.functionResponse);
  if (textOf(name) === '' || !isFields(response)) {
    throw invalid('* GenerateContentRequest.contents.parts.function_response: name and response must be set.');
  }
  // A single string counts as itself: its name is the client's.
  const [only, ...others] = Object.values(response);
  tally.addToolResult(typeof only === 'string' && others.length === 0 ? only : JSON.stringify(response));
};

/** Returns the part's text; '' for other parts. */
const readPart = (part: Fields, where: string, tally: PromptTally): string => {
  const unknown = Object.keys(part).find((name) => !PART_FIELDS.has(name));
  if (unknown !== undefined) throw unknownName(unknown, where);
  if (part.inlineData !== undefined) {
    readInline(part, tally);
  } else if (part.fileData !== undefined) {
    readFile(part, tally);
  } else if (part.functionResponse !== undefined) {
    readResult(part, tally);
  } else if (typeof part.text === 'string') {
    return part.thought === true ? '' : part.text;
  } else if (part.functionCall === undefined) {
    throw invalid(
      `* GenerateContentRequest.${where}.data: required oneof field 'data' must have one initialized field\n`,
    );
  }
  return '';
};

const readTexts = (parts: readonly Fields[], where: string, tally: PromptTally): string => {
  const texts = parts.map((part, at) => readPart(part, `${where}.parts[${at}]`, tally));
  for (const text of texts) tally.addText(text);
  return texts.join('');
};

export const readSystemInstruction = (instruction: unknown, tally: PromptTally): void => {
  if (instruction !== undefined) readTexts(camelList(camelFields(instruction).parts), 'system_instruction', tally);
};

const callsIn = (parts: readonly Fields[]): Fields[] => parts.filter((part) => part.functionCall !== undefined);
const resultsIn = (parts: readonly Fields[]): Fields[] => parts.filter((part) => part.functionResponse !== undefined);

const checkToolResults = (before: readonly Fields[], parts: readonly Fields[]): void => {
  if (resultsIn(parts).length !== callsIn(before).length) {
    throw invalid(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
};

const checkSignature = (parts: readonly Fields[], position: number): void => {
  const [first] = callsIn(parts);
  if (first !== undefined && typeof first.thoughtSignature !== 'string') {
    const name = textOf(camelFields(first.functionCall).name);
    throw invalid(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
  }
};

const isUserText = (content: Fields): boolean =>
  content.role !== 'model' && camelList(content.parts).some((part) => typeof part.text === 'string');

export const readContents = (contents: unknown, model: GeminiModel, tally: PromptTally): void => {
  const turns = listOf(contents).map(camelFields);
  if (turns.length === 0) throw invalid('* GenerateContentRequest.contents: contents is not specified\n');
  const currentTurn = turns.findLastIndex(isUserText);
  let before: readonly Fields[] = [];
  turns.forEach((content, at) => {
    const parts = camelList(content.parts);
    if (content.role !== undefined && content.role !== 'user' && content.role !== 'model') {
      throw invalid('Please use a valid role: user, model.');
    }
    if (parts.length === 0) {
      throw invalid(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.\n`);
    }
    const text = readTexts(parts, `contents[${at}]`, tally);
    checkToolResults(before, parts);
    if (content.role !== 'model' && text !== '') tally.lastUserText = text;
    if (model.needsSignatures && at > currentTurn) checkSignature(parts, at + 1);
    before = parts;
  });
};
