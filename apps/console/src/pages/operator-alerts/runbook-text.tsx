import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { CodeBlock } from '../../parts/code-block.jsx';

type Open = (name: string) => void;

const OTHER_RUNBOOK = /^(?:\.\/)?([a-z0-9-]+)\.md(?:#.*)?$/;

function LinkView({ link, onOpen }: { readonly link: Tokens.Link; readonly onOpen: Open }) {
  const text = <Inline tokens={link.tokens} onOpen={onOpen} />;
  const name = OTHER_RUNBOOK.exec(link.href)?.[1];
  // Other files of the repository are not served.
  if (name === undefined) return text;
  return (
    <button type="button" onClick={() => onOpen(name)} className="text-accent hover:underline">
      {text}
    </button>
  );
}

/** React escapes every text: Markdown never becomes HTML of its own. */
function Inline({ tokens = [], onOpen }: { readonly tokens: readonly Token[] | undefined; readonly onOpen: Open }) {
  return tokens.map((given, place) => {
    const token = given as MarkedToken;
    const key = `${place} ${token.raw}`;
    if (token.type === 'codespan')
      return (
        <code key={key} className="rounded-control bg-sunken px-1 font-mono text-small">
          {token.text}
        </code>
      );
    if (token.type === 'strong')
      return (
        <strong key={key}>
          <Inline tokens={token.tokens} onOpen={onOpen} />
        </strong>
      );
    if (token.type === 'em')
      return (
        <em key={key}>
          <Inline tokens={token.tokens} onOpen={onOpen} />
        </em>
      );
    if (token.type === 'link') return <LinkView key={key} link={token} onOpen={onOpen} />;
    if ('tokens' in token && token.tokens !== undefined)
      return <Inline key={key} tokens={token.tokens} onOpen={onOpen} />;
    return <Fragment key={key}>{'text' in token ? token.text : token.raw}</Fragment>;
  });
}

const Row = ({ cells, onOpen }: { readonly cells: readonly Tokens.TableCell[]; readonly onOpen: Open }) => (
  <tr className="border-b last:border-0">
    {cells.map((cell, place) => (
      <td key={`${place} ${cell.text}`} className="py-1 pr-6 align-top">
        <Inline tokens={cell.tokens} onOpen={onOpen} />
      </td>
    ))}
  </tr>
);

const TableView = ({ table, onOpen }: { readonly table: Tokens.Table; readonly onOpen: Open }) => (
  <div className="overflow-x-auto">
    <table>
      <tbody>
        {table.header.some(({ text }) => text !== '') && <Row cells={table.header} onOpen={onOpen} />}
        {table.rows.map((cells) => (
          <Row key={cells.map(({ text }) => text).join()} cells={cells} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  </div>
);

function ListView({ list, onOpen }: { readonly list: Tokens.List; readonly onOpen: Open }) {
  const Tag = list.ordered ? 'ol' : 'ul';
  return (
    <Tag className={`flex flex-col gap-1.5 pl-5 ${list.ordered ? 'list-decimal' : 'list-disc'}`}>
      {list.items.map((item) => (
        <li key={item.raw}>
          <Blocks tokens={item.tokens} onOpen={onOpen} />
        </li>
      ))}
    </Tag>
  );
}

function Block({ token, onOpen }: { readonly token: MarkedToken; readonly onOpen: Open }): ReactNode {
  switch (token.type) {
    case 'heading':
      return token.depth === 1 ? (
        <h3 className="font-semibold text-title">{token.text}</h3>
      ) : (
        <h4 className="mt-2 font-semibold text-large">{token.text}</h4>
      );
    case 'code':
      return <CodeBlock label={token.lang || 'code'} code={token.text} />;
    case 'table':
      return <TableView table={token} onOpen={onOpen} />;
    case 'list':
      return <ListView list={token} onOpen={onOpen} />;
    case 'space':
      return null;
    case 'text':
      return <Inline tokens={token.tokens ?? [token]} onOpen={onOpen} />;
    default:
      return (
        <p>
          <Inline tokens={'tokens' in token ? token.tokens : [token]} onOpen={onOpen} />
        </p>
      );
  }
}

const Blocks = ({ tokens, onOpen }: { readonly tokens: readonly Token[]; readonly onOpen: Open }) =>
  tokens.map((token, place) => <Block key={`${place} ${token.raw}`} token={token as MarkedToken} onOpen={onOpen} />);

/** Headings, paragraphs, lists, tables and code of a runbook. A link to another runbook opens it. */
export const RunbookText = ({ markdown, onOpen }: { readonly markdown: string; readonly onOpen: Open }) => (
  <div className="flex flex-col gap-3">
    <Blocks tokens={lexer(markdown)} onOpen={onOpen} />
  </div>
);
