import type { Changes, ChatCompletionRequest, ChatTool } from '@gateway/contracts';
import { checkInputs } from '../client-request/check-inputs.js';
import { chatChanges } from '../client-request/report-changes.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { contentsOf, systemParts } from './contents.js';
import { generationConfigOf } from './generation-config.js';
import type { FunctionDeclaration, GenerateBody } from './wire.js';

/** Translates a chat request. Throws a GatewayError (400) for unsupported parts and efforts. */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  checkInputs(call.request, call.traits);
  const streams = call.request.stream === true;
  const body = generateBody(call);
  const method = streams ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1beta/models/${encodeURIComponent(target.upstreamModel)}:${method}`,
    headers: {
      'x-goog-api-key': target.credential,
      'content-type': 'application/json',
      accept: streams ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(body),
    changes: changesOf(call, body),
  };
}

function changesOf({ request }: ChatCall, { generationConfig = {} }: GenerateBody): Changes {
  const { temperature, topP, presencePenalty, frequencyPenalty } = generationConfig;
  const penalties = { presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty };
  return chatChanges(request, { temperature, top_p: topP, ...penalties });
}

function generateBody(call: ChatCall): GenerateBody {
  const { request } = call;
  const system = systemParts(request);
  const tools = request.tools ?? [];
  const generationConfig = generationConfigOf(call);
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    contents: contentsOf(request),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(declaration) }], ...toolConfigOf(request) }),
    ...(generationConfig !== undefined && { generationConfig }),
  };
}

const declaration = ({ function: tool }: ChatTool): FunctionDeclaration => ({
  name: tool.name,
  ...(tool.description !== undefined && { description: tool.description }),
  ...(tool.parameters && { parametersJsonSchema: tool.parameters }),
});

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

function toolConfigOf({ tool_choice: choice }: ChatCompletionRequest): Pick<GenerateBody, 'toolConfig'> {
  if (choice == null) return {};
  if (typeof choice === 'string') return { toolConfig: { functionCallingConfig: { mode: MODES[choice] } } };
  return { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.function.name] } } };
}
