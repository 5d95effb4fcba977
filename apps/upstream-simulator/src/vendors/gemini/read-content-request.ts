import type { ToolChoice, ToolSpec } from '../../completion/completion.js';
import type { GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, isFields, listOf, textOf } from '../../json/fields.js';
import type { IncomingRequest, Memory } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { checkGenerate, ENUM_TYPE } from './check-config.js';
import { camelFields, camelList, camelSchema } from './either-case.js';
import { invalid, unknownName } from './gemini-errors.js';
import type { GeminiModel } from './gemini-models.js';
import { isThoughtSignature } from './thought-signature.js';

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
  if (part.thoughtSignature !== undefined && !isThoughtSignature(part.thoughtSignature)) {
    throw invalid('Thought signature is not valid.');
  }
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

const readSystemInstruction = (instruction: unknown, tally: PromptTally): void => {
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

/** Neighbours of one role. */
interface Turn {
  readonly role: string;
  /** The place of its first content. */
  readonly at: number;
  readonly parts: readonly Fields[];
}

const turnsOf = (contents: readonly Fields[]): readonly Turn[] => {
  const turns: Turn[] = [];
  contents.forEach((content, at) => {
    const role = content.role === 'model' ? 'model' : 'user';
    const parts = camelList(content.parts);
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else turns.push({ role, at, parts });
  });
  return turns;
};

const checkTurns = (contents: readonly Fields[], model: GeminiModel): void => {
  const currentTurn = contents.findLastIndex(isUserText);
  let before: readonly Fields[] = [];
  for (const { at, parts } of turnsOf(contents)) {
    if (at === 0 && callsIn(parts).length > 0) {
      throw invalid(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
    checkToolResults(before, parts);
    if (model.needsSignatures && at > currentTurn) checkSignature(parts, at + 1);
    before = parts;
  }
  const last = contents.at(-1);
  if (model.needsUserLast && last?.role === 'model' && resultsIn(camelList(last.parts)).length === 0) {
    throw invalid('Requests ending with a model turn are not supported.');
  }
};

const readContents = (contents: unknown, model: GeminiModel, tally: PromptTally): void => {
  const all = listOf(contents).map(camelFields);
  if (all.length === 0) throw invalid('* GenerateContentRequest.contents: contents is not specified\n');
  all.forEach((content, at) => {
    const parts = camelList(content.parts);
    if (content.role !== undefined && content.role !== 'user' && content.role !== 'model') {
      throw invalid('Please use a valid role: user, model.');
    }
    if (parts.length === 0) {
      throw invalid(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.\n`);
    }
    const text = readTexts(parts, `contents[${at}]`, tally);
    if (content.role !== 'model' && text !== '') tally.lastUserText = text;
  });
  checkTurns(all, model);
};

const DYNAMIC_THINKING_TOKENS = 32;
const LEVEL_TOKENS: Readonly<Record<string, number>> = { minimal: 4, low: 16, medium: 32, high: 64 };

export const parseBody = (incoming: IncomingRequest): Fields =>
  camelFields(parseJsonObject(incoming, () => invalid('Invalid JSON payload received. Unexpected token.')));

const readTools = (request: Fields): ToolSpec[] =>
  camelList(request.tools)
    .flatMap((tool) => camelList(tool.functionDeclarations))
    .map((declaration) => ({
      name: textOf(declaration.name),
      schema: camelSchema(declaration.parameters) ?? declaration.parametersJsonSchema ?? { type: 'object' },
    }));

const readChoice = (request: Fields): ToolChoice => {
  const { mode, allowedFunctionNames } = camelFields(camelFields(request.toolConfig).functionCallingConfig);
  const [name] = listOf(allowedFunctionNames).map(textOf);
  if (textOf(mode).toUpperCase() === 'ANY') return name === undefined ? 'required' : { name };
  return textOf(mode).toUpperCase() === 'NONE' ? 'none' : 'auto';
};

const readThinking = (config: Fields): GenerationRequest['thinking'] => {
  const { thinkingBudget, thinkingLevel, includeThoughts } = camelFields(config.thinkingConfig);
  if (thinkingBudget === 0) return null;
  const byLevel = LEVEL_TOKENS[textOf(thinkingLevel).toLowerCase()] ?? DYNAMIC_THINKING_TOKENS;
  const isBudget = typeof thinkingBudget === 'number' && thinkingBudget > 0;
  return { isShown: includeThoughts === true, defaultTokens: isBudget ? Math.min(byLevel, thinkingBudget) : byLevel };
};

const readJsonMode = (config: Fields): GenerationRequest['json'] => {
  const isEnum = config.responseMimeType === ENUM_TYPE;
  if (config.responseMimeType !== 'application/json' && !isEnum) return null;
  const schema = config.responseSchema ?? config.responseJsonSchema;
  return { ...(schema !== undefined && { schema }), ...(isEnum && { isPlainText: true }) };
};

export const readPrompt = (request: Fields, model: GeminiModel): PromptTally => {
  const tally = new PromptTally();
  readSystemInstruction(request.systemInstruction, tally);
  readContents(request.contents, model, tally);
  return tally;
};

const readConfig = (request: Fields): Fields => {
  const config = camelFields(request.generationConfig);
  return config.responseSchema === undefined
    ? config
    : { ...config, responseSchema: camelSchema(config.responseSchema) };
};

export const readContentRequest = (request: Fields, model: GeminiModel, memory: Memory): GenerationRequest => {
  const config = readConfig(request);
  checkGenerate(request, config, model);
  const tally = readPrompt(request, model);
  return {
    tally,
    directives: memory.repeats.activeDirectives('gemini', tally.directed),
    tools: readTools(request),
    toolChoice: readChoice(request),
    allowsParallelTools: true,
    json: readJsonMode(config),
    maxTokens: typeof config.maxOutputTokens === 'number' ? config.maxOutputTokens : model.maxOutputTokens,
    capsThinking: true,
    stopSequences: listOf(config.stopSequences).map(textOf),
    thinking: readThinking(config),
  };
};
