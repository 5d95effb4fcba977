import { z } from 'zod';
import { type CreateDocumentOptions, createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { eventSchemas } from './contents.js';
import { describeFields } from './describe-fields.js';
import type { DocumentSetup } from './document-setup.js';
import { errorResponses } from './error-responses.js';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.js';
import { pathsOf } from './operations.js';

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, object>>;
};

/** Clients must ignore fields that they do not know, so an answer's schema is open. The contract tests close it. */
const openAnswers: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

function schemaOf(schema: z.ZodType): object {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

type Render = (name: string, schema: z.ZodType) => object;

/** Adds the headers and parameters that the operations refer to. */
function withHeaders(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const used = (place: string, table: Readonly<Record<string, z.ZodType>>, render: Render) =>
    Object.fromEntries(
      Object.entries(table)
        .filter(([name]) => text.includes(`#/components/${place}/${name}"`))
        .map(([name, schema]) => [name, render(name, schema)]),
    );
  const headers = used('headers', RESPONSE_HEADERS, (_name, schema) => ({
    description: schema.meta()?.description,
    schema: schemaOf(schema),
  }));
  const parameters = used('parameters', REQUEST_HEADERS, (name, schema) => ({
    in: 'header',
    name,
    required: false,
    schema: schemaOf(schema),
  }));
  return { ...document, components: { ...document.components, headers, parameters } };
}

/** `messageBatches` → `Message batches`: what readers see. */
const titleOf = (tag: string): string => {
  const words = tag.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** The document of an address. Throws for two routes with one id. */
export function buildDocument(setup: DocumentSetup): OpenApiDocument {
  const ids = setup.routes.map(({ description }) => description.id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new Error(`two routes are described as ${repeated}`);
  const { title, description, version } = setup;
  const built = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title,
        description,
        version,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/' }],
      tags: setup.tags.map((tag) => ({ ...tag, 'x-displayName': titleOf(tag.name) })),
      paths: pathsOf(setup),
      ...(setup.webhooks !== undefined && { webhooks: { ...setup.webhooks } as ZodOpenApiPathsObject }),
      components: {
        schemas: eventSchemas(setup),
        responses: errorResponses(setup) as never,
        securitySchemes: { ...setup.securitySchemes } as never,
      },
    },
    { override: openAnswers, allowEmptySchema: { custom: true, transform: true } },
  );
  const document = withHeaders(JSON.parse(JSON.stringify(built)) as OpenApiDocument);
  describeFields(document);
  return document;
}
