const ID =
  /\b((?:req|acct|key|task|resp|int|conv|msg|evt|we|wd|whs|item|fc|rs|mem|psn|ses|inv|adm|view|bill)_)[A-Za-z0-9]{16,}(?:_\d+)?/g;
const LONG = /[A-Za-z0-9+/_-]{200,}={0,2}/g;
const CUT = 60;
const MOST_STREAM = 3_000;
/** The day of every example. */
const TIME = '2026-05-01T12:00:00.000Z';
const SECONDS = 1_777_636_800;

const UNIX_FIELDS = /"(created|created_at|started_at|finished_at|completed_at|expires_at|requested_at)":\s?1\d{9}\b/g;

/** An id of the same form, the same for the same id. */
function stableIds(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    text.replaceAll(ID, (id, prefix: string) => {
      const stable = known.get(id) ?? `${prefix}${String(known.size + 1).padStart(26, 'a')}`;
      known.set(id, stable);
      return stable;
    });
}

/** Text without what differs from run to run: ids, times, addresses, secrets, media. */
function normalised(text: string): string {
  return stableIds()(text)
    .replaceAll(/sk-(?:test-)?[A-Za-z0-9_-]{20,}/g, 'sk-…')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_…')
    .replaceAll(/("token": ?")[^"]+"/g, '$1…"')
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://files.example.com')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, TIME)
    .replaceAll(/\b1\d{12}(?=\.evt_)/g, `${SECONDS}000`)
    .replaceAll(/Ann [\da-f-]{36}/g, 'Ann Example')
    .replaceAll(UNIX_FIELDS, `"$1":${SECONDS}`)
    .replaceAll(/[\w-]{36}@example\.com/g, 'ada@example.com')
    .replaceAll(/("duration_ms": ?)\d+/g, '$1120')
    .replaceAll(LONG, (long) => `${long.slice(0, CUT)}…`);
}

export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const SHOWN_HEADERS = ['x-cost-usd', 'x-gateway-filled', 'location', 'preference-applied', 'x-should-retry'];

const MOST_NUMBERS = 4;

const MOST_OBJECTS = 2;

/** Vectors and lists, cut to their beginning. */
function shortened(_name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const isVector = value.every((one) => typeof one === 'number');
  const isList = value.every((one) => typeof one === 'object' && one !== null);
  if (isVector) return value.slice(0, MOST_NUMBERS);
  return isList ? value.slice(0, MOST_OBJECTS) : value;
}

/** An answer as the documents show it. Null: it has no body that a document could show. */
export function recordedAnswer(status: number, headers: Headers, text: string): RecordedAnswer {
  const contentType = headers.get('content-type')?.split(';', 1)[0] ?? null;
  const shown = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, normalised(value)]];
  });
  const common = { status, contentType, headers: Object.fromEntries(shown) as Record<string, string> };
  if (contentType === 'application/json') return { ...common, body: JSON.parse(normalised(text), shortened) };
  const isText = contentType?.startsWith('text/') === true;
  return { ...common, body: isText ? normalised(text).slice(0, MOST_STREAM) : null };
}
