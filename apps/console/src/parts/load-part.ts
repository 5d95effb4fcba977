/** A file of the console did not come. */
export class PartMissing extends Error {
  /** True: the server answers otherwise, so it may have a newer release, whose files have other names. */
  readonly isServerThere: boolean;

  constructor(cause: unknown, isServerThere: boolean) {
    super(String(cause), { cause });
    this.isServerThere = isServerThere;
  }
}

/** How each browser, and the code that Vite adds, says that a file did not come. */
const MISSING = /dynamically imported module|Importing a module|Unable to preload CSS/;

const RETRY_MS = 1_000;
const SETTINGS = `${import.meta.env.BASE_URL}settings.json`;

/** How a first try ended. */
class Missing {
  constructor(readonly error: unknown) {}
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(SETTINGS, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

let again = 0;

/**
 * A browser remembers that a file did not come, and asks for it no more. It takes another address for another file, and most
 * browsers name the address. What the file itself imports has its own address still: then only loading the page helps.
 */
function loadAnew<Module>(error: unknown, load: () => Promise<Module>): Promise<Module> {
  const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
  if (address === undefined) return load();
  again += 1;
  return import(/* @vite-ignore */ `${address}?again=${again}`);
}

/**
 * Loads a file of the console. One that does not come is asked for once more. Throws `PartMissing`, or what the file throws.
 * `load`: nothing but an `import`.
 */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  const first = await load().catch((error: unknown) => {
    if (MISSING.test(String(error))) return new Missing(error);
    throw error;
  });
  if (!(first instanceof Missing)) return first;
  await new Promise((done) => setTimeout(done, RETRY_MS));
  try {
    return await loadAnew(first.error, load);
  } catch (error) {
    if (!MISSING.test(String(error))) throw error;
    throw new PartMissing(error, await isServerThere());
  }
}
