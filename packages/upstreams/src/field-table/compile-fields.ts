import type { FieldRow, FieldTable, UnknownFields } from './field-table.js';

/** The rows of one object, and of the objects in it. */
export interface FieldNode {
  readonly unknown: UnknownFields;
  readonly rows: Map<string, FieldRow>;
  /** The spelling of each row's and each inner object's name, by the folded name. */
  readonly spellings: Map<string, string>;
  readonly children: Map<string, FieldNode>;
  /** The camelCase name of each second spelling that means the same. */
  readonly aliases: Map<string, string>;
}

const snakeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Folds what lenient readers ignore: case (with the long s and the Kelvin sign), `_` and `-`. */
export const foldName = (name: string): string => name.toUpperCase().toLowerCase().replace(/[_-]/g, '');

const compiled = new WeakMap<FieldTable, FieldNode>();

function nodeOf(table: FieldTable, path: string): FieldNode {
  const unknown = table.unknown[path] ?? 'sent';
  return { unknown, rows: new Map(), spellings: new Map(), children: new Map(), aliases: new Map() };
}

/** The node of an object within the tree; creates it and those above it. */
function nodeAt(table: FieldTable, root: FieldNode, steps: readonly string[]): FieldNode {
  let node = root;
  steps.forEach((step, index) => {
    const name = step.replace('[]', '');
    let child = node.children.get(name);
    if (child === undefined) {
      child = nodeOf(table, steps.slice(0, index + 1).join('.'));
      node.children.set(name, child);
      node.spellings.set(foldName(name), name);
    }
    node = child;
  });
  return node;
}

function compile(table: FieldTable): FieldNode {
  const root = nodeOf(table, '');
  for (const path of Object.keys(table.unknown)) if (path !== '') nodeAt(table, root, path.split('.'));
  for (const [path, row] of Object.entries(table.fields)) {
    const steps = path.split('.');
    const name = (steps.pop() ?? '').replace('[]', '');
    const node = nodeAt(table, root, steps);
    node.rows.set(name, row);
    node.spellings.set(foldName(name), name);
  }
  if (table.takesSnakeCase === true) addAliases(root);
  return root;
}

/** Makes each row and each inner object found by its snake_case name too. */
function addAliases(node: FieldNode): void {
  for (const child of node.children.values()) addAliases(child);
  for (const name of new Set([...node.rows.keys(), ...node.children.keys()])) {
    const alias = snakeName(name);
    if (alias === name) continue;
    node.aliases.set(alias, name);
    const row = node.rows.get(name);
    const child = node.children.get(name);
    if (row !== undefined) node.rows.set(alias, row);
    if (child !== undefined) node.children.set(alias, child);
  }
}

/** The table as a tree, compiled once. */
export function compiledFields(table: FieldTable): FieldNode {
  let root = compiled.get(table);
  if (root === undefined) {
    root = compile(table);
    compiled.set(table, root);
  }
  return root;
}
