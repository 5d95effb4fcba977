import { PUBLIC_API, type SnippetRequest, type SnippetServer } from './snippet-request.js';
import { writeCurl } from './write-curl.js';
import { writeGo } from './write-go.js';
import { writePython } from './write-python.js';
import { writeTypescript } from './write-typescript.js';

const WRITERS = { curl: writeCurl, typescript: writeTypescript, python: writePython, go: writeGo } as const;

export type SnippetLanguage = keyof typeof WRITERS;

/** The languages with the names that people read, in their order. */
export const SNIPPET_LANGUAGES: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
};

/** A whole program that sends the request and prints the answer. An error ends it with the answer's text. */
export const writeSnippet = (
  language: SnippetLanguage,
  request: SnippetRequest,
  server: SnippetServer = PUBLIC_API,
): string => WRITERS[language](request, server);
