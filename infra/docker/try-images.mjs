import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropDatabase, ensureDatabase, siblingDatabaseUrl } from '../local/database.mjs';
import { ManagedProcess } from '../local/managed-process.mjs';
import { reserveRandomPort } from '../local/ports.mjs';
import { run, runOrFail } from '../local/run-command.mjs';
import { RunRecord } from '../local/run-record.mjs';
import { SERVICES, serviceEnvironment } from '../local/services.mjs';
import { startStack } from '../local/stack.mjs';
import { rehearse } from './rehearse.mjs';

/*
 * Builds every image without Docker (see rehearse.mjs) and runs it like a container: as user 1000, on a read-only file
 * system, with real stores and services. Takes a minute for each image. Needs the package registry, root, and a
 * PostgreSQL at TEST_DATABASE_URL. To select images: `try-images.mjs billing …`.
 */

const USER = { uid: 1000, gid: 1000 };
const READY_TRIES = 60;

async function withImage(app, target, work) {
  const folder = mkdtempSync(join(tmpdir(), `image-${app}-`));
  try {
    chmodSync(folder, 0o755);
    const image = await rehearse({ app, target, folder, note: (step) => console.log(`  ${step}`) });
    const sources = globSync(['src', 'node_modules/.pnpm/@gateway+*/node_modules/@gateway/*/src'], {
      cwd: join(image.root, image.folder),
    });
    if (sources.length > 0) throw new Error(`sources and tests are in the image: ${sources.join(', ')}`);
    await runOrFail('chmod', ['-R', 'a-w,a+rX', join(image.root, image.folder)]);
    await runOrFail('chmod', ['-R', 'a+rwX', join(image.root, 'var')]);
    const { output } = await run('du', ['-sm', join(image.root, image.folder)]);
    console.log(`  ${output.split('\t')[0]} MB`);
    await work(image);
  } finally {
    await run('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until the image's own health check passes. */
async function untilReady(image, env) {
  for (let attempt = 0; attempt < READY_TRIES; attempt += 1) {
    const { code } = await run(process.execPath, ['is-ready.mjs'], {
      cwd: join(image.root, image.folder),
      env,
      ...USER,
    });
    if (code === 0) return;
    await sleep(500);
  }
  throw new Error('it was never ready');
}

async function tryService(stack, service) {
  console.log(service);
  await withImage(service, 'service', async (image) => {
    const ports = {};
    for (const name of [...Object.keys(SERVICES[service].ports), 'OPS_PORT']) ports[name] = await reserveRandomPort();
    const env = {
      ...serviceEnvironment(service, ports, stack.system),
      ...image.env,
      // Settings that development permits and production rejects, or requires.
      WEBHOOK_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
      SIMULATOR_URL: '',
      WEBHOOK_ALLOW_INSECURE: '',
      VENDORS: 'openai',
      OPENAI_API_KEY: 'simulated',
      OPENAI_BASE_URL: `${stack.simulatorUrl}/openai`,
      SPOOL_DIRECTORY: join(image.root, 'var/spool/gateway'),
      UPLOAD_DIRECTORY: join(image.root, 'var/uploads'),
    };
    const started = new ManagedProcess({
      name: service,
      command: process.execPath,
      args: image.command.slice(1),
      env,
      cwd: join(image.root, image.folder),
      logFile: join(stack.folder, 'logs', `image-${service}.log`),
      record: new RunRecord(join(stack.folder, 'images')),
      ...USER,
    });
    started.start();
    await untilReady(image, env).catch((error) => {
      throw new Error(`${error.message}: ${started.log()}`);
    });
    const { exit } = await started.stop();
    console.log(`  ready as user 1000 on read-only files; ends with ${exit}`);
    if (exit !== 'code 0') throw new Error(`${service} ended with ${exit}`);
  });
}

async function tryMigrations(stack) {
  console.log('migrations');
  const databaseUrl = siblingDatabaseUrl(stack.databaseUrl, `image_${Date.now()}`);
  await ensureDatabase(databaseUrl);
  try {
    await withImage('postgres', 'migrations', async (image) => {
      for (const _time of ['first', 'second']) {
        const options = {
          cwd: join(image.root, image.folder),
          env: { ...image.env, DATABASE_URL: databaseUrl },
          ...USER,
        };
        console.log(`  ${(await runOrFail(process.execPath, image.command.slice(1), options)).trim()}`);
      }
    });
  } finally {
    await dropDatabase(databaseUrl);
  }
}

const chosen = process.argv.slice(2);
const isChosen = (name) => chosen.length === 0 || chosen.includes(name);
const stack = await startStack({ services: ['upstream-simulator', 'billing', 'accounts', 'api-edge'] });
try {
  if (isChosen('migrations')) await tryMigrations(stack);
  for (const service of Object.keys(SERVICES)) if (isChosen(service)) await tryService(stack, service);
  console.log('All of them start.');
} finally {
  await stack.stop();
}
