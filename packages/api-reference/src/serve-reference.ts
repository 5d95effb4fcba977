import { chooseEncoding, hasEntityTag } from '@gateway/serving';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { documentFile } from './document-files.js';
import { guideMarkdown, guidePage } from './guide-page.js';
import { GUIDE_SCRIPT } from './guide-script.js';
import { GUIDES, guideNames } from './guides.js';
import { PAGES_CSS } from './pages-css.js';
import { llmsText, type ReferenceDocument, referenceMarkdown } from './reference-markdown.js';
import { referencePage, startScript } from './reference-page.js';
import { scalarScript } from './scalar-script.js';
import { type ServedFile, servedFile } from './served-file.js';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Pages load and call this server only. Scalar sets styles from its script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Load = () => Promise<ServedFile>;

/** Loads a file for its first reader, and again after a failure. */
function once(type: string, text: () => string | Promise<string>): Load {
  let loaded: Promise<ServedFile> | undefined;
  return () => {
    loaded ??= Promise.resolve()
      .then(text)
      .then((given) => servedFile(type, given))
      .catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
    return loaded;
  };
}

/** The credential that most readers have. */
const FIRST_SCHEME = { public: 'apiKey', accounts: 'session' } as const;

function filesOf(document: keyof typeof FIRST_SCHEME): Readonly<Record<string, Load>> {
  const json = () => documentFile(`openapi/${document}.json`);
  const parsed = () => JSON.parse(json()) as ReferenceDocument;
  const guides = guideNames.flatMap((name) => [
    [`/docs/${name}`, once(HTML, () => guidePage(name))],
    [`/docs/${name}.md`, once(MARKDOWN, () => guideMarkdown(name))],
  ]);
  return {
    '/openapi.json': once('application/json; charset=utf-8', () => JSON.stringify(JSON.parse(json()))),
    '/docs': once(HTML, () => referencePage(parsed().info.title)),
    '/docs/reference.md': once(MARKDOWN, () => referenceMarkdown(parsed())),
    '/docs/scalar.js': once(SCRIPT, scalarScript),
    '/docs/start.js': once(SCRIPT, () => startScript(FIRST_SCHEME[document])),
    '/docs/guide.js': once(SCRIPT, () => GUIDE_SCRIPT),
    '/docs/pages.css': once('text/css; charset=utf-8', () => PAGES_CSS),
    '/llms.txt': once('text/plain; charset=utf-8', () => llmsText(parsed(), GUIDES)),
    ...(Object.fromEntries(guides) as Record<string, Load>),
  };
}

async function send(file: ServedFile, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const encoding = chooseEncoding(headers['accept-encoding']);
  const etag = file.etagIn(encoding);
  reply.headers({
    'cache-control': 'public, no-cache',
    etag,
    vary: 'accept-encoding',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  if (hasEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
  const bytes = await file.body.in(encoding);
  return reply
    .type(file.type)
    .headers(encoding === 'identity' ? {} : { 'content-encoding': encoding })
    .send(bytes);
}

/**
 * Adds the description of the API to a server: `/openapi.json`, the reference and the guides below `/docs`, their Markdown
 * twins and `/llms.txt`. Public, read from files, and loaded by the first reader. Returns the paths.
 */
export function serveReference(fastify: FastifyInstance, document: keyof typeof FIRST_SCHEME): readonly string[] {
  const files = filesOf(document);
  for (const [path, load] of Object.entries(files)) {
    fastify.get(path, async (request, reply) => send(await load(), request, reply));
  }
  return Object.keys(files);
}
