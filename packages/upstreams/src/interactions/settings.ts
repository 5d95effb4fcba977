import { GatewayError, type InteractionCreation } from '@gateway/contracts';

type Tools = NonNullable<InteractionCreation['tools']>;
type Config = NonNullable<InteractionCreation['generation_config']>;
type Format = Exclude<NonNullable<InteractionCreation['response_format']>, readonly unknown[]>;

/** The vendor's tools by their names in the native API. The table of fields refuses all others. */
const VENDOR_TOOLS: Readonly<Record<string, string>> = {
  code_execution: 'codeExecution',
  url_context: 'urlContext',
};

/** Functions become one tool, as the native API has them. `places`: the client's name of each tool. */
export function toolsOf(tools: Tools): {
  readonly tools: readonly object[];
  readonly places: ReadonlyMap<string, string>;
} {
  const places = new Map<string, string>();
  const functions: object[] = [];
  const others: object[] = [];
  const first = tools.some(({ type }) => type === 'function') ? 1 : 0;
  tools.forEach(({ type, name, description, parameters }, index) => {
    const path = `tools[${index}]`;
    if (type === 'function') {
      if (name == null) throw invalid(`${path}.name`, 'expected the name of the function.');
      places.set(`tools[0].functionDeclarations[${functions.length}]`, path);
      const schema = parameters == null ? {} : { parametersJsonSchema: parameters };
      functions.push({ name, ...(description != null && { description }), ...schema });
      return;
    }
    const vendorName = VENDOR_TOOLS[type] ?? type;
    places.set(`tools[${first + others.length}].${vendorName}`, path);
    others.push({ [vendorName]: {} });
  });
  return { tools: functions.length > 0 ? [{ functionDeclarations: functions }, ...others] : others, places };
}

export function toolChoiceOf(choice: Config['tool_choice']): object | undefined {
  if (choice === undefined) return undefined;
  if (typeof choice === 'string') return calling(choice.toUpperCase());
  const { mode, tools } = choice.allowed_tools;
  if (tools == null || tools.length === 0) return mode == null ? undefined : calling(mode.toUpperCase());
  // The native API takes names with a mode that constrains the model only.
  return calling(mode == null || mode === 'auto' ? 'VALIDATED' : mode.toUpperCase(), tools);
}

const calling = (mode: string, names?: readonly string[]): object => ({
  functionCallingConfig: { mode, ...(names !== undefined && { allowedFunctionNames: names }) },
});

export function configOf({
  generation_config: config = {},
  response_format: format,
  response_mime_type: type,
}: InteractionCreation): object {
  const { thinking_level: level, thinking_summaries: summaries } = config;
  const settings = {
    temperature: config.temperature,
    topP: config.top_p,
    topK: config.top_k,
    seed: config.seed,
    stopSequences: config.stop_sequences,
    maxOutputTokens: config.max_output_tokens,
    ...thinking({ thinkingLevel: level, ...(summaries === 'auto' && { includeThoughts: true }) }),
    ...formatOf(Array.isArray(format) ? format[0] : format, type),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function thinking(thinkingConfig: { readonly thinkingLevel: string | undefined; readonly includeThoughts?: true }) {
  const given = Object.fromEntries(Object.entries(thinkingConfig).filter(([, value]) => value !== undefined));
  return Object.keys(given).length === 0 ? {} : { thinkingConfig: given };
}

const JSON_TYPE = 'application/json';
const MEDIA_FORMATS: ReadonlySet<unknown> = new Set(['image', 'audio', 'video']);

function formatOf(format: Format | undefined, type: string | undefined): object {
  if (format === undefined) return type === undefined ? {} : { responseMimeType: type };
  if (MEDIA_FORMATS.has(format.type)) {
    throw new GatewayError(
      'unsupported_value',
      "'response_format': expected 'text': a chat model makes no images or sound here. Use an image model.",
      { param: 'response_format' },
    );
  }
  // Older clients send the schema itself, beside `response_mime_type`.
  if (format.type !== 'text') return { responseMimeType: type ?? JSON_TYPE, responseJsonSchema: format };
  const { mime_type: mimeType, schema } = format;
  return {
    responseMimeType: mimeType ?? (schema == null ? 'text/plain' : JSON_TYPE),
    ...(schema != null && { responseJsonSchema: schema }),
  };
}

const invalid = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${why}`, { param });
