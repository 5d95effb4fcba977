/** A field of a form: its name, and a text or a file beside the program. */
export type FormField = readonly [name: string, value: string | { readonly file: string; readonly type: string }];

/** A body of another media type, such as CSV. */
export interface TextBody {
  readonly text: string;
  readonly type: string;
}

/** What the program prints: a JSON body, events while they come, or the name of the file that it writes. */
export type SnippetAnswer = 'json' | 'events' | { readonly file: string };

/** One request that a snippet sends. */
export interface SnippetRequest {
  readonly method: string;
  /** With its query, such as `/v1/models`. */
  readonly path: string;
  /** Beside the credential and the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly json: unknown } | { readonly form: readonly FormField[] } | TextBody;
  readonly answer: SnippetAnswer;
}

/** A text of the program, or the environment variable that has it. */
export type Place = { readonly text: string } | { readonly variable: string };

/** Where a snippet sends its request, and as whom. */
export interface SnippetServer {
  /** Without a slash at its end. */
  readonly baseUrl: Place;
  /** The bearer token. Undefined: the route is public. */
  readonly token?: Place;
}

/** The public API with a key, both from the environment. */
export const PUBLIC_API: SnippetServer = {
  baseUrl: { variable: 'GATEWAY_URL' },
  token: { variable: 'GATEWAY_API_KEY' },
};

export const hasJson = (body: SnippetRequest['body']): body is { readonly json: unknown } =>
  body !== undefined && 'json' in body;

export const hasForm = (body: SnippetRequest['body']): body is { readonly form: readonly FormField[] } =>
  body !== undefined && 'form' in body;

export const hasText = (body: SnippetRequest['body']): body is TextBody => body !== undefined && 'text' in body;
