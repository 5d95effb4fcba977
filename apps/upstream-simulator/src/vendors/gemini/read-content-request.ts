import type { ToolChoice, ToolSpec } from '../../completion/completion.js';
import type { GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, listOf, textOf } from '../../json/fields.js';
import type { IncomingRequest, Memory } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { checkGenerate } from './check-config.js';
import { camelFields, camelList } from './either-case.js';
import { invalid } from './gemini-errors.js';
import type { GeminiModel } from './gemini-models.js';
import { readContents, readSystemInstruction } from './read-contents.js';

const DYNAMIC_THINKING_TOKENS = 32;
const LEVEL_TOKENS: Readonly<Record<string, number>> = { minimal: 4, low: 16, medium: 32, high: 64 };

export const parseBody = (incoming: IncomingRequest): Fields =>
  camelFields(parseJsonObject(incoming, () => invalid('Invalid JSON payload received. Unexpected token.')));

const readTools = (request: Fields): ToolSpec[] =>
  camelList(request.tools)
    .flatMap((tool) => camelList(tool.functionDeclarations))
    .map((declaration) => ({
      name: textOf(declaration.name),
      schema: declaration.parameters ?? declaration.parametersJsonSchema ?? { type: 'object' },
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
  if (config.responseMimeType !== 'application/json') return null;
  const schema = config.responseSchema ?? config.responseJsonSchema;
  return schema === undefined ? {} : { schema };
};

export const readPrompt = (request: Fields, model: GeminiModel): PromptTally => {
  const tally = new PromptTally();
  readSystemInstruction(request.systemInstruction, tally);
  readContents(request.contents, model, tally);
  return tally;
};

export const readContentRequest = (request: Fields, model: GeminiModel, memory: Memory): GenerationRequest => {
  const config = camelFields(request.generationConfig);
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
