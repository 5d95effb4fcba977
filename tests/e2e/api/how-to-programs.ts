import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A fenced block of a page that calls the API. */
export interface Block {
  /** Such as `docs/how-to/videos.md`. */
  readonly page: string;
  readonly language: 'sh' | 'ts' | 'js' | 'python';
  readonly source: string;
}

const FENCE = /^( *)```(sh|ts|js|python)\n([\s\S]*?)^ *```/gm;
const CALLS =
  /\$BASE|\$ACCOUNT|process\.env|os\.environ|localhost:8|\/v1\/|\/account\/|\/admin\/|<baseUrl>|gateway\.json/;

/** The blocks of the README and the how-tos that call the API. */
export const callingBlocks = (): readonly Block[] =>
  ['README.md', ...globSync('docs/how-to/*.md', { cwd: ROOT }).sort()].flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(FENCE)].flatMap(([, , language, source = '']) =>
      CALLS.test(source) ? [{ page, language: language as Block['language'], source }] : [],
    ),
  );

/** Blocks that no test can run as they stand: the page, how the block begins, why. */
export const NOT_RUN: readonly (readonly [page: string, start: string, reason: string])[] = [
  ['README.md', 'import os', "needs Python's openai package; client-libraries.scenario sends such a stream"],
  ['docs/how-to/point-a-coding-assistant-at-it.md', 'export ANTHROPIC_BASE_URL', 'client-programs.scenario runs it'],
  ['docs/how-to/use-client-libraries.md', 'export GOOGLE_GEMINI_BASE_URL', 'client-programs.scenario runs it'],
  ['docs/how-to/use-over-mcp.md', 'claude mcp add', 'it changes the settings of a program that is not here'],
  [
    'docs/how-to/receive-webhooks.md',
    'export WEBHOOK_SECRET',
    'it installs a package, and starts a server without an end',
  ],
  ['docs/how-to/receive-webhooks.md', '// receiver.mjs', 'a server without an end; webhooks.scenario verifies events'],
  ['docs/how-to/videos.md', 'import { Webhook }', 'a part of a server, which has the request'],
  ['docs/how-to/run-in-production.md', 'ADMIN=…', 'needs the addresses of a deployment'],
];

const reasonOf = ({ page, source }: Block): string | undefined =>
  NOT_RUN.find(([of, start]) => of === page && source.trimStart().startsWith(start))?.[2];

export const isRunnable = (block: Block): boolean => reasonOf(block) === undefined;

/** What the pages take from `npm start`, and what their readers fill in. */
export interface PageValues {
  /** As `.local/gateway.json` has them. */
  readonly gateway: Readonly<Record<string, string>>;
  /** Variables of the shell. */
  readonly environment: Readonly<Record<string, string>>;
  /** What stands for a value of the reader, with that value. */
  readonly filled: readonly (readonly [written: string | RegExp, value: string])[];
}

const HEAD = `set -e -o pipefail
curl() { command curl --fail-with-body --max-time 60 "$@"; }
`;

/** What a reader installs, and the package of the repository that has it. */
const PACKAGES = [
  ['openai', 'tests/e2e'],
  ['@modelcontextprotocol', 'packages/testing'],
] as const;

/** An open connection would keep the program. */
const END = '\nprocess.exit();\n';

const filledIn = (source: string, { filled }: PageValues): string =>
  filled.reduce((text, [written, value]) => text.replaceAll(written, value), source);

function folderOf(values: PageValues): string {
  const folder = mkdtempSync(join(tmpdir(), 'how-to-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/gateway.json'), JSON.stringify(values.gateway));
  writeFileSync(join(folder, 'clip.mp4'), 'a clip');
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, owner] of PACKAGES) {
    symlinkSync(join(ROOT, owner, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

function run(command: string, file: string, cwd: string, environment: PageValues['environment']): Promise<string> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    ...environment,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  };
  return new Promise((done) => {
    execFile(command, [file], { cwd, env, timeout: 90_000 }, (error, stdout, stderr) =>
      done(
        error === null ? 'passed' : `${error.message.slice(0, 500)}\n${stdout.slice(-1_500)}\n${stderr.slice(-1_500)}`,
      ),
    );
  });
}

/** Runs the blocks of one page: those of a shell in one shell, because each uses what the ones before it have set. */
export async function runPage(blocks: readonly Block[], values: PageValues): Promise<readonly string[]> {
  const folder = folderOf(values);
  const shell = blocks.filter(({ language }) => language === 'sh').map(({ source }) => filledIn(source, values));
  const modules = blocks.filter(({ language }) => language === 'ts').map(({ source }) => filledIn(source, values));
  writeFileSync(join(folder, 'page.sh'), `${HEAD}${shell.join('\n')}`);
  const files = modules.map((source, index) => {
    writeFileSync(join(folder, `${index}.mts`), `${source}${END}`);
    return `${index}.mts`;
  });
  return Promise.all([
    run('bash', 'page.sh', folder, values.environment),
    ...files.map((file) => run(process.execPath, file, folder, values.environment)),
  ]);
}
