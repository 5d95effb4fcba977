/** The first that fits counts: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(Headless)?Chrom(e|ium)\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
  [/curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const firstOf = (table: typeof BROWSERS, agent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(agent))?.[1];

/** `Firefox · Windows`. An unknown program is shown as it calls itself. Null: it sent no name. */
export function browserOf(agent: string | null): string | null {
  if (agent === null || agent === '') return null;
  const browser = firstOf(BROWSERS, agent);
  const system = firstOf(SYSTEMS, agent);
  return [browser ?? agent.split(' ')[0], system].filter((part) => part !== undefined).join(' · ');
}
