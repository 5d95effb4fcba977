import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXAMPLE_FILES } from './send-example.js';

/** A program of the document with the name of its operation. */
export interface Snippet {
  readonly name: string;
  readonly source: string;
}

interface Runner {
  readonly extension: string;
  readonly file: string;
  readonly source: string;
  readonly command: string;
}

/*
 * One process runs all programs of a language: a process for each of a hundred programs costs a minute.
 * It prints `<name> passed` or `<name> failed: <why>` for each.
 */
const RUNNERS = {
  curl: {
    extension: 'sh',
    file: 'run.sh',
    command: 'sh',
    source: String.raw`while read -r name; do
  if output=$(sh "$name.sh" 2>&1); then echo "$name passed"; else echo "$name failed: $(echo "$output" | tr '\n' ' ')"; fi
done < names.txt
`,
  },
  typescript: {
    extension: 'mts',
    file: 'run.mjs',
    command: process.execPath,
    source: String.raw`import { readFileSync } from 'node:fs';
for (const name of readFileSync('names.txt', 'utf8').trim().split('\n')) {
  await import('./' + name + '.mts').then(
    () => console.log('\n' + name + ' passed'),
    (error) => console.log('\n' + name + ' failed: ' + String(error).replaceAll('\n', ' ')),
  );
}
`,
  },
  python: {
    extension: 'py',
    file: 'run.py',
    command: 'python3',
    source: String.raw`import runpy
for name in open("names.txt").read().split():
    try:
        runpy.run_path(name + ".py", run_name="__main__")
        print("\n" + name + " passed", flush=True)
    except Exception as error:
        text = error.read().decode() if hasattr(error, "read") else ""
        print("\n" + name + " failed: " + (repr(error) + text).replace("\n", " "), flush=True)
`,
  },
} as const satisfies Record<string, Runner>;

export type RunLanguage = keyof typeof RUNNERS;

export const hasPython = (): Promise<boolean> =>
  new Promise((resolve) => execFile('python3', ['--version'], (error) => resolve(error === null)));

function writeFolder(language: RunLanguage, snippets: readonly Snippet[]): string {
  const { extension, file, source } = RUNNERS[language];
  const folder = mkdtempSync(join(tmpdir(), `snippets-${language}-`));
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(EXAMPLE_FILES)) writeFileSync(join(folder, name.slice(1)), bytes().bytes);
  for (const snippet of snippets) writeFileSync(join(folder, `${snippet.name}.${extension}`), `${snippet.source}\n`);
  writeFileSync(join(folder, 'names.txt'), snippets.map(({ name }) => `${name}\n`).join(''));
  writeFileSync(join(folder, file), source);
  return folder;
}

/** Runs the programs one after the other. Returns `<name> passed` or `<name> failed: <why>` for each. */
export function runSnippets(
  language: RunLanguage,
  snippets: readonly Snippet[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { file, command } = RUNNERS[language];
  const cwd = writeFolder(language, snippets);
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  return new Promise((resolve) => {
    execFile(command, [file], { cwd, env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 }, (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => / (?:passed$|failed: )/.test(line));
      resolve(error === null ? lines : [...lines, `${command} failed: ${error.message} ${stderr}`]);
    });
  });
}

const runFile = promisify(execFile);

/**
 * Compiles all programs of Go, and runs those of `run`: to link each of a hundred takes a minute. Returns what the
 * compiler says, and `<name> passed` or `<name> failed: <why>` for each that ran.
 */
export async function runGo(
  go: string,
  snippets: readonly Snippet[],
  { run, environment }: { run: readonly string[]; environment: Readonly<Record<string, string>> },
): Promise<{ readonly faults: string; readonly ran: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-go-'));
  writeFileSync(join(folder, 'go.mod'), 'module snippets\n\ngo 1.16\n');
  for (const [name, bytes] of Object.entries(EXAMPLE_FILES)) writeFileSync(join(folder, name.slice(1)), bytes().bytes);
  for (const { name, source } of snippets) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'main.go'), source);
  }
  const cache = { GOCACHE: join(folder, 'cache'), GOPATH: join(folder, 'path') };
  const env = { ...process.env, ...cache, ...environment, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '' };
  const options = { cwd: folder, env, timeout: 120_000 };
  const checked = await runFile(go, ['vet', './...'], options).catch((error: Error) => ({ stderr: error.message }));
  const ran = run.map((name) =>
    runFile(go, ['run', `./${name}`], options).then(
      () => `${name} passed`,
      (error: Error) => `${name} failed: ${error.message}`,
    ),
  );
  return { faults: checked.stderr, ran: await Promise.all(ran) };
}
