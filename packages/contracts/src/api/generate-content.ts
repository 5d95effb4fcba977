import { z } from 'zod';
import { ASPECT_RATIOS, oneOf } from './images-interaction.js';
import { message } from './proto-json.js';

/*
 * models.generateContent and models.countTokens of Google's native API: ai.google.dev/api/generate-content. Both spellings
 * of a field are read. Objects are open: the table of fields decides what passes.
 */

const struct = z.record(z.string(), z.unknown());

const blob = message({ mimeType: z.string().min(1), data: z.string() });

const part = message({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: blob.optional(),
  fileData: message({ mimeType: z.string().optional(), fileUri: z.string().min(1) }).optional(),
  functionCall: message({ id: z.string().optional(), name: z.string().min(1), args: struct.optional() }).optional(),
  functionResponse: message({
    id: z.string().optional(),
    name: z.string().min(1),
    response: struct.optional(),
    parts: z.array(message({ inlineData: blob.optional() })).optional(),
  }).optional(),
  executableCode: message({ language: z.string().optional(), code: z.string() }).optional(),
  codeExecutionResult: message({ outcome: z.string().optional(), output: z.string().optional() }).optional(),
});

const content = message({ role: z.string().optional(), parts: z.array(part).optional() });

const functionDeclaration = message({
  name: z.string().min(1),
  description: z.string().optional(),
  parameters: struct.optional(),
  parametersJsonSchema: z.unknown().optional(),
});

const tool = message({ functionDeclarations: z.array(functionDeclaration).optional() });

const MAX_CANDIDATES = 8;

const imageConfig = message({
  aspectRatio: oneOf(ASPECT_RATIOS).optional(),
  imageSize: oneOf(['512', '1K', '2K', '4K']).optional(),
});

const generationConfig = message({
  temperature: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  candidateCount: z.int().min(1).max(MAX_CANDIDATES).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  stopSequences: z.array(z.string()).optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  seed: z.int().optional(),
  responseMimeType: z.string().optional(),
  responseSchema: struct.optional(),
  responseJsonSchema: z.unknown().optional(),
  thinkingConfig: message({
    includeThoughts: z.boolean().optional(),
    thinkingBudget: z.int().min(-1).optional(),
    thinkingLevel: z.string().optional(),
  }).optional(),
  responseModalities: z.array(z.string()).optional(),
  imageConfig: imageConfig.optional(),
});

const prompt = {
  model: z.string().optional(),
  contents: z.array(content).min(1),
  systemInstruction: content.optional(),
  tools: z.array(tool).optional(),
  toolConfig: message({
    functionCallingConfig: message({
      mode: z.string().optional(),
      allowedFunctionNames: z.array(z.string()).optional(),
    }).optional(),
  }).optional(),
  generationConfig: generationConfig.optional(),
};

export const generateContentRequest = message(prompt);

/** A count of `contents` alone. */
export const countContentsRequest = message({ contents: prompt.contents });

/** A count of the whole request that would be sent. */
export const countRequestTokensRequest = message({ generateContentRequest });

export type GenerateContentRequest = z.infer<typeof generateContentRequest>;
export type GenerateContent = z.infer<typeof content>;
export type GeneratePart = z.infer<typeof part>;
export type GenerationConfig = z.infer<typeof generationConfig>;
