import {
  type FormField,
  type Place,
  SNIPPET_LANGUAGES,
  type SnippetAnswer,
  type SnippetLanguage,
  type SnippetRequest,
  writeSnippet,
} from '@gateway/snippets';
import type { RecordedAnswer } from './recorded-answer.js';
import type { RequestExample } from './route-description.js';

/** The environment variables of an address: its base, and the token of each bearer scheme. */
export interface SampleVariables {
  readonly baseUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
}

export interface SampleRoute {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly security: readonly string[];
  readonly hasBody: boolean;
  readonly isForm: boolean;
  /** The media type of a body that is neither JSON nor a form. */
  readonly textType: string | undefined;
  /** The media type of its first successful answer. Undefined: it has no body. */
  readonly mediaType: string | undefined;
}

/** As OpenAPI's readers know it. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  png: 'image/png',
  jsonl: 'application/jsonl',
  csv: 'text/csv',
};
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
  'application/pdf': 'pdf',
  'application/octet-stream': 'bin',
};

/** `taskId` → `TASK_ID`: what a reader puts in the place of a parameter. */
const placeholderOf = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

const withPlaceholders = (text: string): string =>
  text.replaceAll(/\{([A-Za-z]+)\}/g, (_whole, name: string) => placeholderOf(name));

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const fieldOf = ([name, value]: [string, unknown]): FormField => {
  const text = String(value);
  if (!text.startsWith('@')) return [name, withPlaceholders(text)];
  return [name, { file: text.slice(1), type: MEDIA_TYPES[extensionOf(text)] ?? 'application/octet-stream' }];
};

function answerOf(mediaType: string | undefined): SnippetAnswer {
  if (mediaType === 'text/event-stream') return 'events';
  const extension = mediaType === undefined ? undefined : EXTENSIONS[mediaType];
  return extension === undefined ? 'json' : { file: `answer.${extension}` };
}

function bodyOf(body: NonNullable<RequestExample['body']>, isForm: boolean, textType = 'text/plain') {
  if (typeof body === 'string') return { text: body, type: textType };
  if (isForm) return { form: Object.entries(body).map(fieldOf) };
  return { json: JSON.parse(withPlaceholders(JSON.stringify(body))) as unknown };
}

/** The request of an example as a program sends it. */
function sampleRequest(
  { method, path, isForm, textType, mediaType }: SampleRoute,
  example: RequestExample,
  recorded: RecordedAnswer | undefined,
): SnippetRequest {
  const own = path.replaceAll(/\{([A-Za-z]+)\}/g, (whole, name: string) => example.path?.[name] ?? whole);
  const query = new URLSearchParams(example.query).toString();
  const { body } = example;
  return {
    method,
    path: `${withPlaceholders(own)}${query === '' ? '' : `?${query}`}`,
    ...(example.headers !== undefined && { headers: example.headers }),
    ...(body !== undefined && { body: bodyOf(body, isForm, textType) }),
    answer: answerOf(recorded?.contentType ?? mediaType),
  };
}

/** The first example, and the one that streams. A route without a body needs no example. */
function shownExamples(
  examples: ReadonlyMap<string, RequestExample>,
  hasBody: boolean,
): readonly (readonly [string, RequestExample])[] {
  const right = [...examples].filter(([, { isWrong }]) => isWrong !== true);
  if (right.length === 0) return hasBody ? [] : [['', {}]];
  return right.filter(([name], index) => index === 0 || name === 'stream');
}

/** Programs for each shown example in each language. */
export function codeSamples(
  route: SampleRoute,
  examples: ReadonlyMap<string, RequestExample>,
  { recorded, variables }: { recorded: (example: string) => RecordedAnswer | undefined; variables: SampleVariables },
): readonly CodeSample[] {
  const scheme = route.security.find((name) => variables.tokens[name] !== undefined);
  const token: Place | undefined = scheme === undefined ? undefined : { variable: variables.tokens[scheme] ?? '' };
  const server = { baseUrl: { variable: variables.baseUrl }, ...(token !== undefined && { token }) };
  return shownExamples(examples, route.hasBody).flatMap(([name, example], index) => {
    const request = sampleRequest(route, example, recorded(name));
    return (Object.entries(SNIPPET_LANGUAGES) as [SnippetLanguage, string][]).map(([lang, title]) => ({
      lang,
      label: index === 0 ? title : `${title}, ${name}`,
      source: writeSnippet(lang, request, server),
    }));
  });
}
