/** Routes that no document describes, each with the reason. */
const UNDESCRIBED: readonly { readonly route: RegExp; readonly reason: string }[] = [
  { route: /^\/(?:healthz|readyz)$/, reason: 'probes, of the machine that runs the service' },
  { route: /^\/metrics$/, reason: 'Prometheus reads it, in a format of its own' },
  { route: /^\/(?:openapi\.json|llms\.txt|docs(?:\/.*)?)$/, reason: 'the descriptions themselves' },
  { route: /^\/console(?:\/.*)?$/, reason: 'files of the console, for browsers' },
  { route: /^\/$/, reason: 'leads a browser to the console' },
  { route: /^\/admin\/queues(?:\/.*)?$/, reason: 'pages of the queue board, a library' },
  { route: /^\/mcp$/, reason: 'MCP lists its tools itself' },
];

/** True of a path of `UNDESCRIBED`, or of such a route. */
export const isUndescribed = (path: string): boolean => UNDESCRIBED.some(({ route }) => route.test(path));

const VERSIONS: ReadonlySet<string | undefined> = new Set(['v1', 'v1beta']);
/** What other hosts have before their version or after it, and the deployments of Azure. */
const FOREIGN = /^\/+(?:v1(?:beta)?\/+)?(?:openai(?:\/deployments\/[^/]+)?|api|anthropic|compatible-mode)(?=\/)/;
const ACCOUNT = /^\/(?:account|admin|console|docs|internal)(?:\/|$)/;

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * The path as the document writes it. The edge admits other spellings: slashes that are doubled or too many, a version that
 * is repeated or missing, folders of other hosts, and Google's calls and interactions below `/v1/`.
 */
export function documentedPath(url: string): string {
  const path = decoded(url.split('?', 1)[0] ?? '');
  const segments = path
    .replace(FOREIGN, '')
    .split('/')
    .filter((segment) => segment !== '');
  if (ACCOUNT.test(path) || isUndescribed(path) || segments.length === 0) return path;
  let version = 'v1';
  while (VERSIONS.has(segments[0])) version = segments.shift() ?? version;
  // A client of Cohere calls this one path below a version of its own.
  if (segments.join('/') === 'v2/rerank') segments.shift();
  const isOfGoogle =
    segments[0] === 'interactions' || (segments[0] === 'models' && segments[1]?.includes(':') === true);
  if (isOfGoogle) version = 'v1beta';
  return `/${version}/${segments.join('/')}`;
}
