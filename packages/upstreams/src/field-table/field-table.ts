/** Why an id of a file is refused. Ids of a vendor's files would refer to an account that customers share. */
export const NO_FILE_IDS = 'expected the content itself: prompts take no ids of files, also not those of /v1/files.';

/** Why a field has no price of its own. */
export const COUNTED = 'Its tokens are counted in the usage.';
/** Why what a vendor stores is refused. */
export const SHARED = 'it refers to an account of the vendor that customers share.';

/**
 * - `free`: it is sent, and the counts that are billed anyway cover it.
 * - `priced`: it is sent, and quote, hold and charge follow it.
 * - `refused`: it is a 400, except for the values of `except`.
 * - `dropped`: it is not sent, and the response reports that.
 */
export type FieldKind = 'free' | 'priced' | 'refused' | 'dropped';

/** What the gateway does with one field of a request. */
export interface FieldRow {
  readonly kind: FieldKind;
  /** Ends the error of a refused field, and stands in the printed table. */
  readonly why: string;
  /** Refused fields: values that are sent nevertheless. Dropped fields: values whose loss changes nothing. */
  readonly except?: readonly unknown[];
  /** Refused fields: further texts that are sent nevertheless. */
  readonly exceptLike?: RegExp;
}

/** What becomes of a field without a row. */
export type UnknownFields = 'sent' | 'refused' | 'dropped';

/**
 * All fields of a client's request that the gateway knows, for one upstream protocol. Paths are such as `tools[].type`:
 * `[]` means each element of a list.
 */
export interface FieldTable {
  /** What the table covers, such as `POST /v1/chat/completions to OpenAI`. */
  readonly title: string;
  /** The vendor's documents that name the fields. */
  readonly source: string;
  /** By the path of an object; `` is the body. An object that is not listed is the vendor's to check. */
  readonly unknown: Readonly<Record<string, UnknownFields>>;
  readonly fields: Readonly<Record<string, FieldRow>>;
  /** The names are camelCase, and their snake_case spelling means the same: Google's APIs take both. */
  readonly takesSnakeCase?: true;
}

type Options = Pick<FieldRow, 'except' | 'exceptLike'>;
type Rows = Readonly<Record<string, FieldRow>>;

const rows = (kind: FieldKind, why: string, names: readonly string[]): Rows =>
  Object.fromEntries(names.map((name) => [name, { kind, why }]));

export const free = (why: string, ...names: readonly string[]): Rows => rows('free', why, names);
export const priced = (why: string, ...names: readonly string[]): Rows => rows('priced', why, names);
export const dropped = (why: string, ...names: readonly string[]): Rows => rows('dropped', why, names);
export const refused = (why: string, ...names: readonly string[]): Rows => rows('refused', why, names);

/** A field that may have some values only. */
export const refusedExcept = (why: string, options: Options): FieldRow => ({ kind: 'refused', why, ...options });

/** A field whose loss matters for other values than these. */
export const droppedExcept = (why: string, ...except: readonly unknown[]): FieldRow => ({
  kind: 'dropped',
  why,
  except,
});

/** Changes that remove the body's own fields which are not sent, for a protocol that sends all others unread. */
export const withoutDropped = ({ fields }: FieldTable): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind }]) =>
      kind === 'dropped' && !name.includes('.') ? [[name, undefined]] : [],
    ),
  );
