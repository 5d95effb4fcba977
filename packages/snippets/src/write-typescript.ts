import { printValue, type ValueStyle } from './print-value.js';
import { hasForm, hasJson, hasText, type Place, type SnippetRequest, type SnippetServer } from './snippet-request.js';

const quoted = (text: string): string => {
  const json = JSON.stringify(text);
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll(String.raw`\"`, '"')}'`;
};

const STYLE: ValueStyle = {
  text: quoted,
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  constants: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  hasLastComma: true,
  hasBlanks: true,
};

const escaped = (text: string): string => text.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`);

const withPlace = (before: string, place: Place, after: string): string =>
  'text' in place
    ? quoted(`${before}${place.text}${after}`)
    : `\`${escaped(before)}\${process.env.${place.variable}}${escaped(after)}\``;

const indented = (text: string): string => text.replaceAll(/\n/g, '\n  ');

function headersOf({ headers = {}, body }: SnippetRequest, { token }: SnippetServer): readonly string[] {
  return [
    ...(token === undefined ? [] : [`authorization: ${withPlace('Bearer ', token, '')}`]),
    ...(hasJson(body) ? [`'content-type': 'application/json'`] : []),
    ...(hasText(body) ? [`'content-type': ${quoted(body.type)}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${STYLE.name(name)}: ${quoted(value)}`),
  ];
}

/** Statements that build the form. */
function formLines({ body }: SnippetRequest): readonly string[] {
  if (!hasForm(body)) return [];
  const appended = body.form.map(([name, value]) =>
    typeof value === 'string'
      ? `form.append(${quoted(name)}, ${quoted(value)});`
      : `form.append(${quoted(name)}, await openAsBlob(${quoted(value.file)}, { type: ${quoted(value.type)} }), ${quoted(value.file)});`,
  );
  return ['const form = new FormData();', ...appended];
}

function printLines({ answer }: SnippetRequest): readonly string[] {
  if (answer === 'json') return ['console.log(await response.text());'];
  if (answer === 'events') return ['for await (const bytes of response.body!) process.stdout.write(bytes);'];
  return [`await writeFile(${quoted(answer.file)}, response.body!);`];
}

function importLines({ body, answer }: SnippetRequest): readonly string[] {
  const hasFile = hasForm(body) && body.form.some(([, value]) => typeof value === 'object');
  const lines = [
    ...(hasFile ? [`import { openAsBlob } from 'node:fs';`] : []),
    ...(typeof answer === 'object' ? [`import { writeFile } from 'node:fs/promises';`] : []),
  ];
  return lines.length === 0 ? [] : [...lines, ''];
}

/** A module for Node 20 or later, without packages. */
export function writeTypescript(request: SnippetRequest, server: SnippetServer): string {
  const { method, path, body } = request;
  const headers = headersOf(request, server);
  const fields = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: {\n    ${headers.join(',\n    ')},\n  }`]),
    ...(hasJson(body) ? [`body: ${indented(`JSON.stringify(${printValue(body.json, STYLE)})`)}`] : []),
    ...(hasForm(body) ? ['body: form'] : []),
    ...(hasText(body) ? [`body: ${quoted(body.text)}`] : []),
  ];
  const options = fields.length === 0 ? '' : `, {\n  ${fields.join(',\n  ')},\n}`;
  return [
    ...importLines(request),
    ...formLines(request),
    `const response = await fetch(${withPlace('', server.baseUrl, path)}${options});`,
    "if (!response.ok) throw new Error(response.status + ' ' + (await response.text()));",
    ...printLines(request),
  ].join('\n');
}
