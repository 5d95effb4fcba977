import { useLingui } from '@lingui/react/macro';
import { lexer, type Token, type Tokens } from 'marked';
import { memo, useMemo } from 'react';
import remend from 'remend';
import { classes } from '../../../../parts/classes.js';
import { CodeBlock } from '../../../../parts/code-block.jsx';
import { Inline } from './inline.jsx';
import { isParsed } from './is-parsed.js';

const SIZES = ['text-title', 'text-large', 'text-large', 'text-base', 'text-base', 'text-base'] as const;

const Blocks = ({ tokens }: { readonly tokens: readonly Token[] }) =>
  tokens.map((token, index) => <Block key={index} token={token} />);

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} className="pl-1">
      {item.task === true && <span aria-hidden>{item.checked === true ? '☑ ' : '☐ '}</span>}
      <Blocks tokens={item.tokens} />
    </li>
  ));
  const layout = 'flex flex-col gap-1 pl-5';
  if (!list.ordered) return <ul className={classes(layout, 'list-disc')}>{items}</ul>;
  return (
    <ol start={Number(list.start) || 1} className={classes(layout, 'list-decimal')}>
      {items}
    </ol>
  );
}

const Cells = ({ cells, as: Cell }: { readonly cells: readonly Tokens.TableCell[]; readonly as: 'th' | 'td' }) => (
  <tr className="border-b">
    {cells.map((cell, index) => (
      <Cell key={index} align={cell.align ?? 'left'} className="px-2 py-1">
        <Inline tokens={cell.tokens} />
      </Cell>
    ))}
  </tr>
);

const Table = ({ table }: { readonly table: Tokens.Table }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a person without a mouse scrolls it with the keys.
  <div tabIndex={0} className="overflow-x-auto">
    <table>
      <thead>
        <Cells cells={table.header} as="th" />
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <Cells key={index} cells={row} as="td" />
        ))}
      </tbody>
    </table>
  </div>
);

function Code({ text, lang }: { readonly text: string; readonly lang: string | undefined }) {
  const { t } = useLingui();
  return <CodeBlock label={lang || t`Code`} code={text} />;
}

/** A heading of an answer stands below the headings of the page. */
function Heading({ depth, tokens }: Tokens.Heading) {
  const Tag = depth === 1 ? 'h3' : 'h4';
  return (
    <Tag className={classes('font-semibold', SIZES[depth - 1])}>
      <Inline tokens={tokens} />
    </Tag>
  );
}

/** One block. It is drawn again only if its own source changed, so that a long answer stays cheap while it grows. */
const Block = memo(
  ({ token }: { readonly token: Token }) => {
    switch (token.type) {
      case 'space':
      case 'def':
        return null;
      case 'heading':
        return <Heading {...(token as Tokens.Heading)} />;
      case 'list':
        return <List list={token as Tokens.List} />;
      case 'table':
        return <Table table={token as Tokens.Table} />;
      case 'code':
        return <Code text={(token as Tokens.Code).text} lang={(token as Tokens.Code).lang} />;
      case 'hr':
        return <hr />;
      case 'blockquote':
        return (
          <blockquote className="flex flex-col gap-2 border-l-2 pl-3 text-muted">
            <Blocks tokens={(token as Tokens.Blockquote).tokens} />
          </blockquote>
        );
      case 'paragraph':
      case 'text':
        return (
          <p className="whitespace-pre-wrap break-words">
            <Inline tokens={(token as Tokens.Paragraph).tokens ?? [token]} />
          </p>
        );
      default:
        // HTML is shown as its source: an answer never becomes part of the page.
        return <p className="whitespace-pre-wrap break-words font-mono text-small">{token.raw}</p>;
    }
  },
  (before, after) => before.token.type === after.token.type && before.token.raw === after.token.raw,
);

interface MarkdownProps {
  readonly text: string;
  readonly isComing: boolean;
}

function ParsedText({ text, isComing }: MarkdownProps) {
  const tokens = useMemo(() => lexer(isComing ? remend(text) : text), [text, isComing]);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Blocks tokens={tokens} />
    </div>
  );
}

/** Markdown that may still be coming: `remend` closes what is open. */
export const Markdown = (props: MarkdownProps) =>
  isParsed(props.text) ? <ParsedText {...props} /> : <p className="wrap-anywhere whitespace-pre-wrap">{props.text}</p>;
