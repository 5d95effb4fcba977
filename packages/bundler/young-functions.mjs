import { parseSync, Visitor } from 'rolldown/utils';

const FUNCTIONS = new Set(['FunctionExpression', 'ArrowFunctionExpression']);

/**
 * The same code, with `thing.name = () => …` written as `thing.name = (0, () => …)`. Where a property is assigned, V8 takes a
 * written function for a part of a prototype and allocates it in the old generation. One that belongs to a request keeps that
 * request, and all that it refers to, until the next full collection.
 */
export function withYoungFunctions(code) {
  const { program, errors } = parseSync('bundle.js', code, { sourceType: 'module', preserveParens: false });
  if (errors.length > 0) throw new Error(`the bundle is no JavaScript: ${errors[0].message}`);
  const insertions = [];
  const visitor = new Visitor({
    AssignmentExpression({ left, right }) {
      if (left.type !== 'MemberExpression' || !FUNCTIONS.has(right.type)) return;
      insertions.push({ at: right.start, text: '(0, ' }, { at: right.end, text: ')' });
    },
  });
  visitor.visit(program);
  insertions.sort((one, other) => one.at - other.at);
  let written = '';
  let end = 0;
  for (const { at, text } of insertions) {
    written += code.slice(end, at) + text;
    end = at;
  }
  return written + code.slice(end);
}
