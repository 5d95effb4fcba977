import { residentBytesOf } from './process-tree.mjs';

const METRICS = {
  heapUsed: 'nodejs_heap_size_used_bytes',
  heap: 'nodejs_heap_size_total_bytes',
  external: 'nodejs_external_memory_bytes',
};

const figureOf = (text, name) =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

/** The memory of a service in bytes: resident, JavaScript heap, and used heap. */
export async function memoryOf({ pid, url }) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const inside = Object.entries(METRICS).map(([part, name]) => [part, figureOf(metrics, name)]);
  return { resident: residentBytesOf([pid]), ...Object.fromEntries(inside) };
}
