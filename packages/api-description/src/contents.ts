import type { ErrorDialect } from '@gateway/contracts';
import { z } from 'zod';
import type { DocumentSetup } from './document-setup.js';
import { errorNames } from './error-answers.js';
import type { Content } from './route-description.js';

export const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

export const JSON_TYPE = 'application/json';
export const contentOf = (given: z.ZodType | { readonly content: Content }): Content =>
  isSchema(given) ? { [JSON_TYPE]: given } : given.content;

export const media = (
  content: Content,
  dialects: readonly ErrorDialect[],
  examplesFor: (mediaType: string) => object,
) =>
  Object.fromEntries(
    Object.entries(content).map(([type, given]) => [
      type,
      { schema: mediaSchema(type, given, dialects), ...examplesFor(type) },
    ]),
  );

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** OpenAPI 3.1 has no schema of one event, so extensions refer to it, and to the error that may end a stream. */
function mediaSchema(type: string, given: Content[string], dialects: readonly ErrorDialect[]): object {
  if (isSchema(given)) return given;
  const [error, ...others] = errorNames(dialects).map(schemaRef);
  return {
    type: 'string',
    contentMediaType: type,
    description: given.description,
    'x-event-data': schemaRef(eventName(given.events)),
    'x-event-error': others.length === 0 ? error : { anyOf: [error, ...others] },
  };
}

function eventName(events: z.ZodType): string {
  const { id } = events.meta() ?? {};
  if (id === undefined) throw new Error('the schema of an event needs an id in its meta');
  return id;
}

/** The schemas of all events, by their ids. */
export function eventSchemas({ routes }: DocumentSetup): Record<string, z.ZodType> {
  const contents = routes.flatMap(({ description: { answers } }) =>
    Object.values(answers).flatMap((given) => (isSchema(given) ? [] : Object.values(given.content ?? {}))),
  );
  const found = contents.flatMap((content) => (isSchema(content) ? [] : [content.events]));
  return Object.fromEntries(found.map((events) => [eventName(events), events]));
}
