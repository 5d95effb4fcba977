import { type Changes, GatewayError } from '@gateway/contracts';
import type { GenerateOfInteraction } from './generate-of-interaction.js';

type Places = GenerateOfInteraction['places'];

const SETTINGS: readonly (readonly [RegExp, string])[] = [
  [/^generationConfig\.thinkingConfig\b.*/, 'generation_config.thinking_level'],
  [/^generationConfig\.response(?:MimeType|Schema|JsonSchema)\b.*/, 'response_format'],
  [/^toolConfig\b.*/, 'generation_config.tool_choice'],
  [/^systemInstruction\b.*/, 'system_instruction'],
  [/^contents\b.*/, 'input'],
];

/** The client's name for a field of `generateContent`. */
function interactionName(name: string, places: Places): string {
  for (const [place, own] of places) if (name === place || name.startsWith(`${place}.`)) return own;
  for (const [pattern, own] of SETTINGS) if (pattern.test(name)) return own;
  const [, setting] = /^generationConfig\.(\w+)$/.exec(name) ?? [];
  if (setting === undefined) return name;
  return `generation_config.${setting.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** How an error names a part that a model does not take. */
const PART_TYPE = /^Content of type '(?:fileData|inlineData)'/;

/** An error about the call, in the client's own words. */
export function inNamesOfInteraction({ code, message, details }: GatewayError, places: Places): GatewayError {
  const { param } = details;
  if (param === undefined) return new GatewayError(code, message, details);
  const name = interactionName(param, places);
  const own = message.replaceAll(`'${param}'`, `'${name}'`).replace(PART_TYPE, 'This content');
  return new GatewayError(code, own, { ...details, param: name });
}

export const changesInNamesOfInteraction = ({ filled, dropped }: Changes, places: Places): Changes => ({
  filled: Object.fromEntries(Object.entries(filled).map(([name, value]) => [interactionName(name, places), value])),
  dropped: dropped.map((name) => interactionName(name, places)),
});
