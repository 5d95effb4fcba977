import { isJsonObject } from '@gateway/contracts';

type Fields = Readonly<Record<string, unknown>>;

const STEPS_WITH_CONTENT: ReadonlySet<unknown> = new Set(['user_input', 'model_output']);
const OTHER_STEPS: ReadonlySet<unknown> = new Set(['thought', 'function_call', 'function_result']);

/** The contents of all turns, in their order. What the model thought is not sent again. */
function blocksOf(input: unknown): unknown {
  if (isJsonObject(input)) return [input];
  if (!Array.isArray(input)) return input;
  return input.flatMap((element: unknown) => {
    if (!isJsonObject(element)) return [element];
    if (STEPS_WITH_CONTENT.has(element.type)) return Array.isArray(element.content) ? element.content : [];
    return OTHER_STEPS.has(element.type) ? [] : [element];
  });
}

/** The vendor's own word for the size that the images endpoint calls `512px`. */
function formatOf(format: unknown): unknown {
  const one: unknown = Array.isArray(format) && format.length === 1 ? format[0] : format;
  return isJsonObject(one) && one.image_size === '512' ? { ...one, image_size: '512px' } : one;
}

const makesImages = (modalities: unknown): boolean =>
  Array.isArray(modalities) && modalities.some((modality) => String(modality).toLowerCase() === 'image');

/** An interaction with an image model as the body of the images endpoint, which knows no streams. `isContinued`: by the vendor. */
export function imageBodyOfInteraction(body: Fields, isContinued: boolean): Record<string, unknown> {
  const { stream: _, input, response_format: format, response_modalities: modalities, ...others } = body;
  const { previous_interaction_id: previous, ...own } = others;
  return {
    ...own,
    ...(isContinued && { previous_interaction_id: previous }),
    input: blocksOf(input),
    ...(format != null && { response_format: formatOf(format) }),
    ...(modalities != null && !makesImages(modalities) && { response_modalities: modalities }),
  };
}
