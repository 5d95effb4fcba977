import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

const BINARY = 'schema_engine_bg.wasm';
const GLUE = './schema_engine_bg.js';

/** TypeScript declares this global for browsers only. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, () => void> } }>;
};

let isLoaded = false;

/** The engine never clears the timer of its lock (10 s), which would keep the process alive. */
const withoutLingeringTimers = (): object =>
  Object.fromEntries(
    Object.entries(engine).map(([name, value]) =>
      name.startsWith('__wbg_setTimeout_')
        ? [name, (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref()]
        : [name, value],
    ),
  );

/** Loads Prisma's schema engine from its npm package: nothing is downloaded. */
async function loadSchemaEngine(): Promise<void> {
  if (isLoaded) return;
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const code = await readFile(join(folder, BINARY));
  const { instance } = await WebAssembly.instantiate(code, { [GLUE]: withoutLingeringTimers() });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  isLoaded = true;
}

/**
 * Sends a migration as one script, in one implicit transaction. Prisma's driver splits it at every semicolon. That breaks
 * the bodies of functions, and leaves half a migration behind when a statement fails.
 */
class WholeScriptPg extends PrismaPg {
  readonly #close: (() => Promise<void>)[] = [];

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script: string) => {
      await adapter.underlyingDriver().query(script);
    };
    this.#close.push(() => adapter.dispose());
    return adapter;
  }

  async close(): Promise<void> {
    for (const close of this.#close) await close();
  }
}

export interface OpenSchemaEngine {
  readonly engine: engine.SchemaEngine;
  /** Ends the connection, and with it the engine's lock on the database. */
  close(): Promise<void>;
}

export async function openSchemaEngine(databaseUrl: string): Promise<OpenSchemaEngine> {
  await loadSchemaEngine();
  const driver = new WholeScriptPg({ connectionString: databaseUrl, max: 1 });
  const opened = await engine.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(driver),
  );
  const close = async () => {
    opened.free();
    await driver.close();
  };
  return { engine: opened, close };
}
