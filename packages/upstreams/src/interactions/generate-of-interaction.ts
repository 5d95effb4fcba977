import type { GenerateContent, InteractionCreation } from '@gateway/contracts';
import { contentsOf } from './contents-of-input.js';
import { configOf, toolChoiceOf, toolsOf } from './settings.js';

/** A request of `generateContent`, and the client's own names for its places. */
export interface GenerateOfInteraction {
  readonly request: {
    readonly contents: readonly GenerateContent[];
    readonly systemInstruction?: GenerateContent;
    readonly tools?: readonly object[];
    readonly toolConfig?: object;
    readonly generationConfig?: object;
  };
  /** By the places of parts and tools, such as `contents[0].parts[1]`: `input[1].content[0]`. */
  readonly places: ReadonlyMap<string, string>;
}

/**
 * A client's interaction as the call of `generateContent` that it becomes. So hold, charge and abort contract have one
 * computation, and every chat model serves it. Throws a 400 that names the field.
 */
export function generateOfInteraction(interaction: InteractionCreation): GenerateOfInteraction {
  const { system_instruction: instruction = '' } = interaction;
  const { contents, places: ofInput } = contentsOf(interaction.input);
  const { tools, places: ofTools } = toolsOf(interaction.tools ?? []);
  const toolConfig = toolChoiceOf(interaction.generation_config?.tool_choice);
  const generationConfig = configOf(interaction);
  return {
    request: {
      contents,
      ...(instruction !== '' && { systemInstruction: { parts: [{ text: instruction }] } }),
      ...(tools.length > 0 && { tools }),
      ...(toolConfig !== undefined && { toolConfig }),
      ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    },
    places: new Map([...ofInput, ...ofTools]),
  };
}
