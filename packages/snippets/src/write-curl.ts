import { printValue, type ValueStyle } from './print-value.js';
import { hasForm, hasJson, hasText, type Place, type SnippetRequest, type SnippetServer } from './snippet-request.js';

const JSON_STYLE: ValueStyle = {
  text: (text) => JSON.stringify(text),
  name: (name) => JSON.stringify(name),
  constants: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  hasLastComma: false,
  hasBlanks: false,
};

/** JSON for people: short objects stay on their line. */
export const printJson = (value: unknown): string => printValue(value, JSON_STYLE);

/** Between single quotes nothing is special for a shell. */
const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** Between double quotes a shell replaces variables. */
const double = (text: string): string => `"${text.replaceAll(/["\\`$]/g, String.raw`\$&`)}"`;

const withPlace = (before: string, place: Place, after: string): string =>
  'text' in place
    ? double(`${before}${place.text}${after}`)
    : `${double(before).slice(0, -1)}$${place.variable}${double(after).slice(1)}`;

function bodyOptions({ body }: SnippetRequest): readonly string[] {
  if (hasJson(body)) return [`-H "Content-Type: application/json"`, `-d ${single(printJson(body.json))}`];
  if (hasText(body)) return [`-H ${double(`Content-Type: ${body.type}`)}`, `--data-binary ${single(body.text)}`];
  if (!hasForm(body)) return [];
  return body.form.map(([name, value]) =>
    typeof value === 'string'
      ? `--form-string ${single(`${name}=${value}`)}`
      : `-F ${single(`${name}=@${value.file};type=${value.type}`)}`,
  );
}

/** A command for a POSIX shell. It fails if the answer is an error, and prints it. */
export function writeCurl(request: SnippetRequest, server: SnippetServer): string {
  const { method, path, headers = {}, answer } = request;
  const isDefault = method === (request.body === undefined ? 'GET' : 'POST');
  const options = [
    ...(isDefault ? [] : [`-X ${method}`]),
    ...(server.token === undefined ? [] : [`-H ${withPlace('Authorization: Bearer ', server.token, '')}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${double(`${name}: ${value}`)}`),
    ...bodyOptions(request),
    ...(typeof answer === 'object' ? [`-o ${single(answer.file)}`] : []),
  ];
  const start = `curl --fail-with-body -sS${answer === 'events' ? 'N' : ''} ${withPlace('', server.baseUrl, path)}`;
  return [start, ...options].join(' \\\n  ');
}
