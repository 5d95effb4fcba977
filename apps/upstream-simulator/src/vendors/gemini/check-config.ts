import { type Fields, fieldsOf, isAbsent, isFields, listOf, textOf } from '../../json/fields.js';
import { camelFields, camelList, camelSchema } from './either-case.js';
import { invalid, unknownName } from './gemini-errors.js';
import type { GeminiModel } from './gemini-models.js';

const REQUEST_FIELDS = new Set(
  `contents systemInstruction generationConfig safetySettings tools toolConfig cachedContent model labels serviceTier
  store`.split(/\s+/),
);

const CONFIG_FIELDS = new Set(
  `temperature topP topK candidateCount maxOutputTokens stopSequences responseMimeType responseSchema responseJsonSchema
  presencePenalty frequencyPenalty seed responseLogprobs logprobs responseModalities thinkingConfig imageConfig
  mediaResolution speechConfig enableEnhancedCivicAnswers`.split(/\s+/),
);

/** The vendor's schema dialect. Other JSON Schema keywords need `parametersJsonSchema`. */
const SCHEMA_FIELDS = new Set(
  `type format title description nullable enum maxItems minItems properties required minProperties maxProperties
  minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum`.split(/\s+/),
);

const checkSchema = (schema: unknown, place: string): void => {
  const fields = fieldsOf(schema);
  const unknown = Object.keys(fields).find((name) => !SCHEMA_FIELDS.has(name));
  if (unknown !== undefined) throw unknownName(unknown, place);
  for (const [name, property] of Object.entries(fieldsOf(fields.properties))) {
    checkSchema(property, `${place}.properties[${name}].value`);
  }
  if (isFields(fields.items)) checkSchema(fields.items, `${place}.items`);
  listOf(fields.anyOf).forEach((one, at) => {
    checkSchema(one, `${place}.any_of[${at}]`);
  });
};

const RANGES: readonly (readonly [name: string, min: number, max: number])[] = [
  ['temperature', 0, 2],
  ['topP', 0, 1],
  ['presencePenalty', -2, 2],
  ['frequencyPenalty', -2, 2],
];

const checkNumbers = (config: Fields, model: GeminiModel): void => {
  for (const [name, min, max] of RANGES) {
    const value = config[name];
    if (!isAbsent(value) && (typeof value !== 'number' || value < min || value > max)) {
      throw invalid(
        `Unable to submit request because it has a ${name} value of ${String(value)} but the supported range is from ${min} (inclusive) to ${max} (inclusive). Update the value and try again.`,
      );
    }
  }
  const penalty = ['presencePenalty', 'frequencyPenalty'].find((name) => !isAbsent(config[name]));
  // Models that think by level reject what others sample by.
  if (penalty !== undefined && model.budget === null) throw invalid(`Penalty is not enabled for this model`);
  const tokens = config.maxOutputTokens;
  if (!isAbsent(tokens) && (typeof tokens !== 'number' || tokens < 1 || tokens > model.maxOutputTokens)) {
    throw invalid(
      `Unable to submit request because it has a maxOutputTokens value of ${String(tokens)} but the supported range is from 1 (inclusive) to ${model.maxOutputTokens + 1} (exclusive). Update the value and try again.`,
    );
  }
  if (listOf(config.stopSequences).length > 5) {
    throw invalid('* GenerateContentRequest.generation_config.stop_sequences: at most 5 stop sequences are allowed.\n');
  }
  if (!isAbsent(config.candidateCount) && config.candidateCount !== 1) {
    throw invalid('Multiple candidates is not enabled for this model');
  }
};

const LEVELS = ['minimal', 'low', 'medium', 'high'];

const checkBudget = (budget: unknown, model: GeminiModel): void => {
  const range = model.budget;
  if (range === null || budget === -1) return;
  if (budget === 0 && !range.canBeOff) throw invalid('Budget 0 is invalid. This model only works in thinking mode.');
  if (typeof budget !== 'number' || (budget !== 0 && (budget < range.min || budget > range.max))) {
    throw invalid(
      `The thinking budget ${String(budget)} is invalid. Please choose a value between ${range.min} and ${range.max}.`,
    );
  }
};

const checkThinking = (config: Fields, model: GeminiModel): void => {
  const { thinkingBudget, thinkingLevel } = camelFields(config.thinkingConfig);
  if (!isAbsent(thinkingBudget) && !isAbsent(thinkingLevel)) {
    throw invalid('You can only set only one of thinking budget and thinking level.');
  }
  if (!isAbsent(thinkingLevel)) {
    if (model.budget !== null) throw invalid('Thinking level is not supported for this model.');
    if (!LEVELS.includes(textOf(thinkingLevel).toLowerCase())) {
      throw invalid(`Thinking level ${textOf(thinkingLevel)} is not supported for this model.`);
    }
  }
  if (!isAbsent(thinkingBudget)) checkBudget(thinkingBudget, model);
};

const checkTools = (request: Fields): void => {
  camelList(request.tools).forEach((tool, at) => {
    camelList(tool.functionDeclarations).forEach((declaration, index) => {
      const place = `tools[${at}].function_declarations[${index}]`;
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(textOf(declaration.name))) {
        throw invalid(
          `* GenerateContentRequest.${place}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
        );
      }
      if (declaration.parameters !== undefined && declaration.parametersJsonSchema !== undefined) {
        throw invalid(
          `* GenerateContentRequest.${place}: parameters and parameters_json_schema are mutually exclusive.\n`,
        );
      }
      checkSchema(camelSchema(declaration.parameters), `${place}.parameters`);
    });
  });
};

/** The answer is one value of the schema's `enum`, as plain text. */
export const ENUM_TYPE = 'text/x.enum';

const checkJsonMode = (request: Fields, config: Fields, model: GeminiModel): void => {
  const mimeType = textOf(config.responseMimeType);
  const followsSchema = mimeType === 'application/json' || mimeType === ENUM_TYPE;
  if (!followsSchema && (config.responseSchema !== undefined || config.responseJsonSchema !== undefined)) {
    throw invalid('response_schema can only be set when response mime type is `application/json`.');
  }
  const hasFunctions = camelList(request.tools).some((tool) => tool.functionDeclarations !== undefined);
  if (followsSchema && hasFunctions && model.budget !== null) {
    throw invalid(`Function calling with a response mime type: '${mimeType}' is unsupported`);
  }
  checkSchema(config.responseSchema, 'generation_config.response_schema');
};

/** Checks everything except `contents`. */
export const checkGenerate = (request: Fields, config: Fields, model: GeminiModel): void => {
  const unknown = Object.keys(request).find((name) => !REQUEST_FIELDS.has(name));
  if (unknown !== undefined) throw unknownName(unknown, '');
  const unknownConfig = Object.keys(config).find((name) => !CONFIG_FIELDS.has(name));
  if (unknownConfig !== undefined) throw unknownName(unknownConfig, 'generation_config');
  checkNumbers(config, model);
  checkThinking(config, model);
  checkTools(request);
  checkJsonMode(request, config, model);
};
