const SECRETS = ['password', 'new_password', 'token', 'key', 'secret'];
/** Longer bodies are cut off by their fields. */
const MOST_CHARACTERS = 4_000;

/** What was asked, as it may be kept for years: no secrets, and not without bounds. */
export function auditDetails(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const details: Record<string, unknown> = {};
  let left = MOST_CHARACTERS;
  for (const [name, value] of Object.entries(body)) {
    if (SECRETS.includes(name.toLowerCase())) continue;
    left -= name.length + (JSON.stringify(value)?.length ?? 0);
    if (left < 0) return { ...details, cut_off: true };
    details[name] = value;
  }
  return details;
}
