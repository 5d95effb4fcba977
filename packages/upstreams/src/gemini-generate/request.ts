import {
  type Changes,
  type FunctionTool,
  mergeChanges,
  type NeutralRequest,
  type SettingName,
} from '@gateway/contracts';
import { CLOSED } from '../client-request/closing-turn.js';
import { settingChanges } from '../client-request/setting-changes.js';
import type { NeutralCall, Target, WireRequest } from '../protocol.js';
import { contentsOf, isClosed, systemParts } from './contents.js';
import { generationConfigOf } from './generation-config.js';
import type { FunctionDeclaration, GenerateBody } from './wire.js';
import { generateMethod, wireRequest } from './wire-request.js';

/** The settings that the API has. */
export const settings: ReadonlySet<SettingName> = new Set([
  ...(['maxOutputTokens', 'temperature', 'topP', 'topK', 'stop', 'seed', 'presencePenalty'] as const),
  ...(['frequencyPenalty', 'effort', 'format'] as const),
]);

/** Encodes a request. Throws a GatewayError (400) for unsupported parts and efforts. */
export function encodeRequest(call: NeutralCall, target: Target): WireRequest {
  const body = generateBody(call);
  const sent = wireRequest(generateMethod(call.request.streams), JSON.stringify(body), target);
  return { ...sent, changes: changesOf(call.request, body) };
}

function changesOf(request: NeutralRequest, { contents, generationConfig = {} }: GenerateBody): Changes {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty } = generationConfig;
  const settings = settingChanges(request.settings, { temperature, topP, topK, presencePenalty, frequencyPenalty });
  return mergeChanges(settings, isClosed(contents) ? CLOSED : undefined);
}

function generateBody(call: NeutralCall): GenerateBody {
  const { request } = call;
  const system = systemParts(request);
  const declarations = (request.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [declaration(tool)] : []));
  const generationConfig = generationConfigOf(call);
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    contents: contentsOf(call),
    ...(declarations.length > 0 && { tools: [{ functionDeclarations: declarations }], ...toolConfigOf(request) }),
    ...(generationConfig !== undefined && { generationConfig }),
  };
}

const declaration = ({ name, description, parameters }: FunctionTool): FunctionDeclaration => ({
  name,
  ...(description !== undefined && { description }),
  ...(parameters !== undefined && { parametersJsonSchema: parameters }),
});

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY', allowed: 'AUTO' } as const;

function toolConfigOf({ toolChoice: choice }: NeutralRequest): Pick<GenerateBody, 'toolConfig'> {
  if (choice === undefined) return {};
  if (choice.type !== 'tool') return { toolConfig: { functionCallingConfig: { mode: MODES[choice.type] } } };
  return { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.name] } } };
}
