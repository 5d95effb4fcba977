import { GatewayError, isJsonObject, type JsonObject, truncateForError } from '@gateway/contracts';
import { compiledFields, type FieldNode, foldName } from './compile-fields.js';
import type { FieldRow, FieldTable } from './field-table.js';

const includes = (values: readonly unknown[] | undefined, value: unknown): boolean =>
  values?.some((one) => JSON.stringify(one) === JSON.stringify(value)) ?? false;

const isExcepted = ({ except, exceptLike }: FieldRow, value: unknown): boolean =>
  includes(except, value) || (exceptLike !== undefined && typeof value === 'string' && exceptLike.test(value));

const unknownField = (path: string): GatewayError =>
  new GatewayError('unknown_parameter', `Unknown parameter: '${path}'.`, { param: path });

const refusedField = (path: string, { why, except, exceptLike }: FieldRow): GatewayError =>
  new GatewayError(
    except === undefined && exceptLike === undefined ? 'unsupported_parameter' : 'unsupported_value',
    `'${path}': ${why}`,
    { param: path },
  );

const otherSpelling = (path: string, name: string): GatewayError =>
  new GatewayError('invalid_request', `'${path}': expected the spelling '${name}'.`, { param: path });

const pathOf = (parent: string, name: string): string => {
  const shown = truncateForError(name);
  return parent === '' ? shown : `${parent}.${shown}`;
};

class FieldCheck {
  readonly dropped: string[] = [];

  object(fields: JsonObject, node: FieldNode, parent: string): void {
    for (const name in fields) {
      const value = fields[name];
      if (value === null || value === undefined) continue;
      const usual = node.aliases.get(name);
      // Which of two spellings a reader takes is its own choice.
      if (usual !== undefined && fields[usual] != null) throw otherSpelling(pathOf(parent, name), usual);
      const row = node.rows.get(name);
      if (row === undefined) this.#withoutRow(name, value, node, parent);
      else this.#withRow(name, value, row, parent);
      const child = node.children.get(name);
      if (child !== undefined) this.#inside(value, child, pathOf(parent, name));
    }
  }

  #inside(value: unknown, node: FieldNode, path: string): void {
    if (isJsonObject(value)) this.object(value, node, path);
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) {
      if (isJsonObject(value[index])) this.object(value[index], node, `${path}[${index}]`);
    }
  }

  #withRow(name: string, value: unknown, row: FieldRow, parent: string): void {
    if (row.kind === 'refused' && !isExcepted(row, value)) throw refusedField(pathOf(parent, name), row);
    if (row.kind === 'dropped' && !isExcepted(row, value)) this.dropped.push(pathOf(parent, name));
  }

  /** A lenient reader takes another spelling for the field itself, with all that it contains, so it is never sent. */
  #withoutRow(name: string, value: unknown, node: FieldNode, parent: string): void {
    // A name of an object without rows is the caller's to check.
    if (node.children.has(name)) return;
    const path = pathOf(parent, name);
    const spelling = node.spellings.get(foldName(name));
    const row = spelling === undefined ? undefined : node.rows.get(spelling);
    if (row?.kind === 'refused' && !isExcepted(row, value)) throw refusedField(path, row);
    const isBilled = row?.kind === 'priced' || row?.kind === 'refused';
    if (spelling !== undefined && (isBilled || node.unknown !== 'dropped')) throw otherSpelling(path, spelling);
    if (node.unknown === 'refused') throw unknownField(path);
    if (node.unknown === 'dropped') this.dropped.push(path);
  }
}

/** Checks a body's fields. Throws a 400 that names the first refused one. Returns the fields that will not be sent. */
export function checkFields(body: JsonObject, table: FieldTable): readonly string[] {
  const check = new FieldCheck();
  check.object(body, compiledFields(table), '');
  return check.dropped;
}
