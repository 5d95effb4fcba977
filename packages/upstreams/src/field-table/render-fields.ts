import type { FieldRow, FieldTable } from './field-table.js';

const FATES = {
  sent: 'sent',
  refused: 'refused (400)',
  dropped: 'not sent, and named in `x-gateway-dropped`',
} as const;

const MEANINGS = [
  '- `free`: the gateway sends it; the counts that are billed anyway cover it.',
  '- `priced`: the gateway sends it; quote, hold and charge follow it.',
  '- `refused`: 400, in every spelling.',
  '- `dropped`: the gateway does not send it, and names it in `x-gateway-dropped`.',
];

const cell = (text: string): string => text.replaceAll('|', '\\|');

const valuesOf = ({ except, exceptLike }: FieldRow): string =>
  [...(except ?? []).map((value) => JSON.stringify(value)), ...(exceptLike === undefined ? [] : [exceptLike.source])]
    .map((value) => `\`${cell(value)}\``)
    .join(', ');

const rowOf = (path: string, row: FieldRow): string => {
  const values = valuesOf(row);
  const why = row.kind === 'refused' ? row.why.charAt(0).toUpperCase() + row.why.slice(1) : row.why;
  return `| \`${path}\` | ${row.kind}${values === '' ? '' : ` except ${values}`} | ${cell(why)} |`;
};

/** One table as a page of documents. `docs/fields/` must equal it. */
export const renderFields = (id: string, table: FieldTable, extra: readonly string[] = []): string =>
  [
    `# ${id}`,
    '',
    `${table.title}. Generated from the table in the folder of its protocol; the vendor's fields: <${table.source}>.`,
    '',
    ...MEANINGS,
    ...(table.takesSnakeCase === true
      ? ['- Each name may also be written in snake_case, but not in both spellings.']
      : []),
    '',
    '| unknown fields of | become |',
    '| --- | --- |',
    ...Object.entries(table.unknown).map(
      ([path, fate]) => `| ${path === '' ? 'the body' : `\`${path}\``} | ${FATES[fate]} |`,
    ),
    '',
    '| field | kind | why |',
    '| --- | --- | --- |',
    ...Object.entries(table.fields)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, row]) => rowOf(path, row)),
    ...extra,
    '',
  ].join('\n');
