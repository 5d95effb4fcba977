import { printValue, type ValueStyle } from './print-value.js';
import { hasForm, hasJson, hasText, type Place, type SnippetRequest, type SnippetServer } from './snippet-request.js';

/** A JSON string is a Python string, but for pairs of surrogates, which JSON.stringify leaves as they are. */
const quoted = (text: string): string => JSON.stringify(text);

const STYLE: ValueStyle = {
  text: quoted,
  name: quoted,
  constants: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  hasLastComma: true,
  hasBlanks: false,
};

const withPlace = (before: string, place: Place, after: string): string => {
  if ('text' in place) return quoted(`${before}${place.text}${after}`);
  const parts = [
    ...(before === '' ? [] : [quoted(before)]),
    `os.environ["${place.variable}"]`,
    ...(after === '' ? [] : [quoted(after)]),
  ];
  return parts.join(' + ');
};

const FORM = `boundary = uuid.uuid4().hex
body = b""


def add(head, value):
    global body
    body += f"--{boundary}\\r\\nContent-Disposition: form-data; {head}\\r\\n\\r\\n".encode() + value + b"\\r\\n"

`;

function formLines({ body }: SnippetRequest): readonly string[] {
  if (!hasForm(body)) return [];
  const added = body.form.map(([name, value]) =>
    typeof value === 'string'
      ? `add(${quoted(`name="${name}"`)}, ${quoted(value)}.encode())`
      : `add(${quoted(`name="${name}"; filename="${value.file}"\r\nContent-Type: ${value.type}`)}, open(${quoted(value.file)}, "rb").read())`,
  );
  return [FORM, ...added, 'body += f"--{boundary}--\\r\\n".encode()', ''];
}

function headersOf({ headers = {}, body }: SnippetRequest): readonly string[] {
  return [
    ...(hasJson(body) ? ['"Content-Type": "application/json"'] : []),
    ...(hasText(body) ? [`"Content-Type": ${quoted(body.type)}`] : []),
    ...(hasForm(body) ? ['"Content-Type": f"multipart/form-data; boundary={boundary}"'] : []),
    ...Object.entries(headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
}

function printLines({ answer }: SnippetRequest): readonly string[] {
  if (answer === 'json') return ['    print(response.read().decode())'];
  if (answer === 'events') return ['    for line in response:', '        print(line.decode(), end="", flush=True)'];
  return [`    with open(${quoted(answer.file)}, "wb") as file:`, '        shutil.copyfileobj(response, file)'];
}

function importLine({ body, answer }: SnippetRequest, server: SnippetServer): string {
  const isInEnvironment = [server.baseUrl, server.token].some((place) => place !== undefined && 'variable' in place);
  const modules = [
    ...(hasJson(body) ? ['json'] : []),
    ...(isInEnvironment ? ['os'] : []),
    ...(typeof answer === 'object' ? ['shutil'] : []),
    'urllib.request',
    ...(hasForm(body) ? ['uuid'] : []),
  ];
  return modules.map((module) => `import ${module}`).join('\n');
}

/** A program for Python 3.8 or later with its standard library only. */
export function writePython(request: SnippetRequest, server: SnippetServer): string {
  const { method, path, body } = request;
  const headers = headersOf(request);
  const fields = [
    withPlace('', server.baseUrl, path),
    `method=${quoted(method)}`,
    ...(headers.length === 0 ? [] : [`headers={\n        ${headers.join(',\n        ')},\n    }`]),
    ...(hasJson(body)
      ? [`data=${`json.dumps(${printValue(body.json, STYLE)})`.replaceAll('\n', '\n    ')}.encode()`]
      : []),
    ...(hasForm(body) ? ['data=body'] : []),
    ...(hasText(body) ? [`data=${quoted(body.text)}.encode()`] : []),
  ];
  return [
    importLine(request, server),
    '',
    ...formLines(request),
    `request = urllib.request.Request(\n    ${fields.join(',\n    ')},\n)`,
    // The library sends other headers along with a redirect, which may lead to a vendor.
    ...(server.token === undefined
      ? []
      : [`request.add_unredirected_header("Authorization", ${withPlace('Bearer ', server.token, '')})`]),
    'with urllib.request.urlopen(request) as response:',
    ...printLines(request),
  ].join('\n');
}
