interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

/** What the Markdown twin needs of an OpenAPI document. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string; readonly 'x-displayName': string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The reference as Markdown: each operation with its path, for readers without a browser. */
export function referenceMarkdown({ info, tags, paths }: ReferenceDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, call: `${method.toUpperCase()} ${path}` })),
  );
  const sections = tags.map(({ name, description, 'x-displayName': title }) => {
    const own = operations.filter((operation) => operation.tags?.includes(name));
    const lines = own.map(
      ({ call, summary, description: text }) =>
        `### \`${call}\`\n\n${summary ?? ''}.${text === undefined ? '' : ` ${text}`}`,
    );
    return [`## ${title}`, description, ...lines].join('\n\n');
  });
  const schema = 'The schemas of requests and answers, with examples, are in [openapi.json](/openapi.json).';
  return `${[`# ${info.title}`, info.description, schema, ...sections].join('\n\n')}\n`;
}

/** The list of pages for language models: llmstxt.org. */
export function llmsText({ info }: ReferenceDocument, guides: Readonly<Record<string, string>>): string {
  const [summary = ''] = info.description.split('\n', 1);
  const pages = Object.entries(guides).map(([name, title]) => `- [${title}](/docs/${name}.md)`);
  return `# ${info.title}

> ${summary}

## API

- [Reference](/docs/reference.md): every operation
- [OpenAPI 3.1](/openapi.json): schemas, errors and examples

## Guides

${pages.join('\n')}
`;
}
