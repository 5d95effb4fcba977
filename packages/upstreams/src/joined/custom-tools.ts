import type { CustomTool, FunctionTool } from '@gateway/contracts';

/** The member of a call's arguments that holds its text. */
export const CUSTOM_INPUT = 'input';

const HINT = 'Put the whole text of the call into the member `input`.';

/** A tool of free text as a function with one text. Its grammar becomes a part of its description. */
export function functionOfCustomTool({ name, description, format }: CustomTool): FunctionTool {
  const { definition, syntax } = format ?? {};
  const grammar =
    typeof definition === 'string' ? `The text must match this ${String(syntax)} grammar:\n${definition}` : '';
  return {
    type: 'function',
    name,
    description: [description, HINT, grammar].filter(Boolean).join('\n\n'),
    parameters: {
      type: 'object',
      properties: { [CUSTOM_INPUT]: { type: 'string' } },
      required: [CUSTOM_INPUT],
      additionalProperties: false,
    },
  };
}

export const wrappedInput = (input: string): string => JSON.stringify({ [CUSTOM_INPUT]: input });
