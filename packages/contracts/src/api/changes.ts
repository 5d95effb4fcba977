import { z } from 'zod';

type Fields = Readonly<Record<string, unknown>>;

/** What the gateway changes in a request on its way upstream. `changeHeaders` reports it to the client. */
export interface Changes {
  /** The value that is sent, as text, by the client's name of the field, such as `parameters.duration`. */
  readonly filled: Readonly<Record<string, string>>;
  /** The client's fields that are not sent. */
  readonly dropped: readonly string[];
}

/** `Changes` as they cross processes. */
export const changes = z.object({ filled: z.record(z.string(), z.string()), dropped: z.array(z.string()) });

export const NO_CHANGES: Changes = { filled: {}, dropped: [] };

const MAX_NAME_CHARACTERS = 64;
const MAX_VALUE_CHARACTERS = 64;
/** Proxies commonly allow 4 KiB to 8 KiB for all headers together. */
const MAX_HEADER_CHARACTERS = 1_024;
/** A stored response has room for the usual lists: they take memory for a day. */
const MAX_STORED_CHARACTERS = 256;
/** A body may have thousands of unknown names; tickets and receipts report the first ones. */
const MAX_ENTRIES = 64;
const CUT = '...';

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}${CUT}`;

const textOf = (value: unknown): string =>
  cut(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARACTERS);

const isSame = (given: unknown, sent: unknown): boolean =>
  given === sent || (typeof sent === 'object' && JSON.stringify(given) === JSON.stringify(sent));

/**
 * Compares the client's fields with what is sent, both by the client's names. A field that is sent with another value, or
 * that only the gateway has, is filled. A field that is not sent is dropped. Null counts as absent.
 */
export function changesBetween(given: Fields, sent: Fields): Changes {
  const filled: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (value != null && !isSame(given[name], value)) filled[name] = textOf(value);
  }
  for (const [name, value] of Object.entries(given)) if (value != null && sent[name] == null) dropped.push(name);
  return Object.keys(filled).length === 0 && dropped.length === 0 ? NO_CHANGES : { filled, dropped };
}

/** For a message: absent if nothing was changed, and of bounded length. */
export const changesPart = (made: Changes | undefined): { readonly changes?: z.infer<typeof changes> } =>
  made === undefined || (made.dropped.length === 0 && Object.keys(made.filled).length === 0)
    ? {}
    : {
        changes: {
          filled: Object.fromEntries(firstOf(Object.entries(made.filled), [CUT, ''])),
          dropped: firstOf(made.dropped, CUT),
        },
      };

/** As many entries as a message carries, and a mark in place of the others. */
const firstOf = <Entry>(entries: readonly Entry[], mark: Entry): Entry[] =>
  entries.length <= MAX_ENTRIES ? [...entries] : [...entries.slice(0, MAX_ENTRIES), mark];

/** The changes of both. Of two values for one field, the later one was sent. */
export function mergeChanges(first: Changes | undefined, later: Changes | undefined): Changes {
  if (first === undefined || later === undefined) return first ?? later ?? NO_CHANGES;
  const filled: Record<string, string> = { ...first.filled, ...later.filled };
  for (const name of later.dropped) delete filled[name];
  const dropped = first.dropped.filter((name) => later.filled[name] === undefined);
  return { filled, dropped: [...new Set([...dropped, ...later.dropped])] };
}

/** Percent-encodes what a header or its syntax does not allow: controls, spaces, commas, `=`, `%`, all but ASCII. */
const encoded = (text: string): string =>
  text.replace(/[^\x21-\x24\x26-\x2b\x2d-\x3c\x3e-\x7e]+/gu, (odd) =>
    [...new TextEncoder().encode(odd)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

const nameOf = (name: string): string => encoded(cut(name, MAX_NAME_CHARACTERS));

/** Joins as many entries as fit, and marks the cut. */
function listOf(entries: readonly string[], mostCharacters: number): string {
  let list = '';
  for (const entry of entries) {
    if (list.length + entry.length > mostCharacters) return `${list}, ${CUT}`;
    list = list === '' ? entry : `${list}, ${entry}`;
  }
  return list;
}

/** `x-gateway-filled: name=value, …` and `x-gateway-dropped: name, …`, percent-encoded and of bounded length. */
export function changeHeaders({ filled, dropped }: Changes, most = MAX_HEADER_CHARACTERS): Record<string, string> {
  const values = Object.entries(filled).map(([name, value]) => `${nameOf(name)}=${encoded(value)}`);
  return {
    ...(values.length > 0 && { 'x-gateway-filled': listOf(values, most) }),
    ...(dropped.length > 0 && { 'x-gateway-dropped': listOf(dropped.map(nameOf), most) }),
  };
}

/** The same for a stored response, shorter. */
export const storedChangeHeaders = (made: Changes): Record<string, string> =>
  changeHeaders(made, MAX_STORED_CHARACTERS);
