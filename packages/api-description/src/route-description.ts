import type { ErrorCode, ErrorDialect } from '@gateway/contracts';
import type { z } from 'zod';
import type { RequestHeader, ResponseHeader } from './headers.js';

/** Server-sent events: the schema of the JSON of one event, which has an `id` in its `meta`. */
export interface EventStream {
  readonly events: z.ZodType;
  readonly description: string;
}

/** Schemas by media type. `application/json` where a schema stands alone. */
export type Content = Readonly<Record<string, z.ZodType | EventStream>>;

/** One successful answer that is more than one JSON body. */
export interface Answer {
  readonly description: string;
  /** Undefined: no body. */
  readonly content?: Content;
  /** Beside the headers of every answer. */
  readonly headers?: readonly ResponseHeader[];
}

/** A request that a scenario sends. Its recorded answer becomes the example, and the snippets are made of it. */
export interface RequestExample {
  /** Values of the path's parameters. `{name}` stands for a value that the scenario fills in. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or the fields of a form. A field `@name` of a form is a file of the scenario. A text has the route's own type. */
  readonly body?: Readonly<Record<string, unknown>> | string;
  /** It shows an error, so it is no example of the body. */
  readonly isWrong?: true;
  /** Its answer has no end: the scenario records how it begins, and runs no program of it. */
  readonly isEndless?: true;
}

/** What a client needs to know of one route. Schemas are the ones that validate, or that type the answer. */
export interface RouteDescription {
  /** `<tag>.<verb>`, unique in its document: the operation id, the name of the example, the anchor of the reference. */
  readonly id: string;
  /** An imperative phrase without a full stop. */
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  /** The path's parameters, where more is known than that they are ids. */
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: readonly RequestHeader[];
  /** JSON, or schemas by media type. */
  readonly body?: z.ZodType | { readonly content: Content; readonly required?: boolean };
  readonly answers: Readonly<Record<number, z.ZodType | Answer>>;
  /** Errors beside those of every route of the address. */
  readonly errors?: readonly ErrorCode[];
  /** The styles of its errors. Default: `a`. */
  readonly dialects?: readonly ErrorDialect[];
  /** Any other 4xx of an upstream may pass. */
  readonly passesErrors?: true;
  readonly examples?: Readonly<Record<string, RequestExample>>;
}

/** A described route. `path` is the server's own, such as `/account/keys/:id`. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly description: RouteDescription;
  /** Names of the security schemes: any one of them admits. Empty: the route is public. */
  readonly security: readonly string[];
  /** The role that a member needs. Undefined: every person, or no member. */
  readonly leastRole?: string | undefined;
}
