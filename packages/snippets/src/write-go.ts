import { hasForm, hasJson, hasText, type Place, type SnippetRequest, type SnippetServer } from './snippet-request.js';
import { printJson } from './write-curl.js';

const quoted = (text: string): string => JSON.stringify(text);

/** A raw string where it can be one. */
const raw = (text: string): string => (text.includes('`') ? quoted(text) : `\`${text}\``);

const withPlace = (before: string, place: Place, after: string): string => {
  if ('text' in place) return quoted(`${before}${place.text}${after}`);
  const parts = [
    ...(before === '' ? [] : [quoted(before)]),
    `os.Getenv("${place.variable}")`,
    ...(after === '' ? [] : [quoted(after)]),
  ];
  return parts.join('+');
};

const CHECK = ['if err != nil {', '\tlog.Fatal(err)', '}'];

const formField = ([name, value]: readonly [string, string | { file: string; type: string }]): readonly string[] =>
  typeof value === 'string'
    ? [`form.WriteField(${quoted(name)}, ${quoted(value)})`]
    : [`addFile(form, ${quoted(name)}, ${quoted(value.file)}, ${quoted(value.type)})`];

function bodyLines({ body }: SnippetRequest): readonly string[] {
  if (hasJson(body)) return [`body := strings.NewReader(${raw(printJson(body.json))})`];
  if (hasText(body)) return [`body := strings.NewReader(${quoted(body.text)})`];
  if (!hasForm(body)) return [];
  return [
    'body := &bytes.Buffer{}',
    'form := multipart.NewWriter(body)',
    ...body.form.flatMap(formField),
    'form.Close()',
  ];
}

const ADD_FILE = `
func addFile(form *multipart.Writer, name, path, mediaType string) {
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	head := textproto.MIMEHeader{}
	head.Set("Content-Disposition", fmt.Sprintf("form-data; name=%q; filename=%q", name, path))
	head.Set("Content-Type", mediaType)
	part, err := form.CreatePart(head)
	if err != nil {
		log.Fatal(err)
	}
	part.Write(data)
}
`;

const hasFile = (request: SnippetRequest): boolean =>
  hasForm(request.body) && request.body.form.some(([, value]) => typeof value === 'object');

function headerLines({ headers = {}, body }: SnippetRequest, { token }: SnippetServer): readonly string[] {
  const set = (name: string, value: string) => `request.Header.Set(${quoted(name)}, ${value})`;
  return [
    ...(token === undefined ? [] : [set('Authorization', withPlace('Bearer ', token, ''))]),
    ...(hasJson(body) ? [set('Content-Type', quoted('application/json'))] : []),
    ...(hasText(body) ? [set('Content-Type', quoted(body.type))] : []),
    ...(hasForm(body) ? [set('Content-Type', 'form.FormDataContentType()')] : []),
    ...Object.entries(headers).map(([name, value]) => set(name, quoted(value))),
  ];
}

const printLines = ({ answer }: SnippetRequest): readonly string[] =>
  typeof answer === 'object'
    ? [`file, err := os.Create(${quoted(answer.file)})`, ...CHECK, 'defer file.Close()', 'io.Copy(file, response.Body)']
    : ['io.Copy(os.Stdout, response.Body)'];

function imports(request: SnippetRequest): readonly string[] {
  const { body } = request;
  return [
    ...(hasForm(body) ? ['bytes'] : []),
    ...(hasFile(request) ? ['fmt'] : []),
    'io',
    'log',
    ...(hasForm(body) ? ['mime/multipart'] : []),
    'net/http',
    ...(hasFile(request) ? ['net/textproto'] : []),
    'os',
    ...(hasJson(body) || hasText(body) ? ['strings'] : []),
  ];
}

/** A program for Go 1.16 or later with its standard library only. */
export function writeGo(request: SnippetRequest, server: SnippetServer): string {
  const { method, path, body } = request;
  const lines = [
    ...bodyLines(request),
    `request, err := http.NewRequest(${quoted(method)}, ${withPlace('', server.baseUrl, path)}, ${body === undefined ? 'nil' : 'body'})`,
    ...CHECK,
    ...headerLines(request, server),
    'response, err := http.DefaultClient.Do(request)',
    ...CHECK,
    'defer response.Body.Close()',
    'if response.StatusCode >= 400 {',
    '\ttext, _ := io.ReadAll(response.Body)',
    '\tlog.Fatalf("%s %s", response.Status, text)',
    '}',
    ...printLines(request),
  ];
  const imported = imports(request).map((name) => `\t"${name}"`);
  const main = lines.map((text) => `\t${text}`).join('\n');
  return `package main\n\nimport (\n${imported.join('\n')}\n)\n\nfunc main() {\n${main}\n}\n${hasFile(request) ? ADD_FILE : ''}`;
}
