import { readFileSync } from 'node:fs';
import type { MemberRole } from '@gateway/contracts';

/** A request of the documents (`x-requests`): what the example shows, and the scenario sends. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>> | string;
  readonly isWrong?: true;
  /** Its answer has no end. */
  readonly isEndless?: true;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  /** The first credential that it admits; undefined: none. */
  readonly scheme: string | undefined;
  /** All credentials that it admits; none: it is public. */
  readonly schemes: readonly string[];
  /** The role that a member needs. */
  readonly leastRole: MemberRole | undefined;
  readonly bodyType: string | undefined;
  readonly bodySchema: unknown;
  readonly examples: Readonly<Record<string, ExampleRequest>>;
  readonly samples: readonly CodeSample[];
}

/** A program of the document. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

interface RawOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly 'x-least-role'?: MemberRole;
  readonly 'x-requests'?: Readonly<Record<string, ExampleRequest>>;
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export const DOCUMENTS = new URL('../../../docs/openapi/', import.meta.url);

export const readDocument = (name: 'public' | 'accounts'): OpenApi =>
  JSON.parse(readFileSync(new URL(`${name}.json`, DOCUMENTS), 'utf8')) as OpenApi;

/** The operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const [bodyType] = Object.keys(raw.requestBody?.content ?? {});
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        scheme: Object.keys(raw.security[0] ?? {})[0],
        schemes: raw.security.flatMap((scheme) => Object.keys(scheme)),
        leastRole: raw['x-least-role'],
        bodyType,
        bodySchema: bodyType === undefined ? undefined : raw.requestBody?.content[bodyType]?.schema,
        examples: raw['x-requests'] ?? {},
        samples: raw['x-codeSamples'] ?? [],
      };
    }),
  );
