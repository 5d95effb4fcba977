import { z } from 'zod';

/*
 * models.generateContent and models.streamGenerateContent, v1beta: ai.google.dev/api/generate-content.
 * Lists only the fields that the gateway writes or reads. Left out on purpose: safety settings, cached content, grounding and
 * code execution, which chat requests cannot express, and all candidates but the first.
 */

export type RequestPart = (
  | { readonly text: string }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } }
  | { readonly fileData: { readonly mimeType: string; readonly fileUri: string } }
  | { readonly functionCall: { readonly name: string; readonly args: unknown } }
  | { readonly functionResponse: { readonly name: string; readonly response: object } }
) & { readonly thoughtSignature?: string };

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly RequestPart[];
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: object;
}

export interface GenerationConfig {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxOutputTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly responseMimeType?: 'application/json';
  readonly responseJsonSchema?: object;
  readonly thinkingConfig?: {
    readonly thinkingBudget?: number;
    readonly thinkingLevel?: string;
    readonly includeThoughts: boolean;
  };
}

export interface GenerateBody {
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  readonly contents: readonly Content[];
  readonly tools?: readonly { readonly functionDeclarations: readonly FunctionDeclaration[] }[];
  readonly toolConfig?: {
    readonly functionCallingConfig: {
      readonly mode: 'AUTO' | 'ANY' | 'NONE';
      readonly allowedFunctionNames?: readonly string[];
    };
  };
  readonly generationConfig?: GenerationConfig;
}

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() }).optional(),
});

/** A whole response, or one stream event. `usage.ts` reads `usageMetadata`. */
export const generateReply = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z.looseObject({ parts: z.array(part).nullish() }).nullish(),
        finishReason: z.string().nullish(),
        index: z.int().min(0).optional(),
      }),
    )
    .nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: z.unknown().optional(),
  responseId: z.string().nullish(),
});

export type ReplyPart = z.infer<typeof part>;
export type GenerateReply = z.infer<typeof generateReply>;
