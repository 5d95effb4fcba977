import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';

const SAFE_ADDRESS = /^(https?:|mailto:)/i;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name) => ENTITIES[name] ?? whole);

/** An image would need another host, which the policy of the page forbids: its address is shown as a link. */
function Anchor({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!SAFE_ADDRESS.test(href)) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-accent underline">
      {children}
    </a>
  );
}

function Part({ token }: { readonly token: Token }): ReactNode {
  const inner = 'tokens' in token && token.tokens !== undefined ? <Inline tokens={token.tokens} /> : null;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'codespan':
      return (
        <code className="rounded-control bg-sunken px-1 font-mono text-small">{(token as Tokens.Codespan).text}</code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <Anchor href={(token as Tokens.Link).href}>{inner}</Anchor>;
    case 'image':
      return (
        <Anchor href={(token as Tokens.Image).href}>
          {(token as Tokens.Image).text || (token as Tokens.Image).href}
        </Anchor>
      );
    case 'text':
    case 'escape':
      return inner ?? decoded((token as Tokens.Text).text);
    default:
      return token.raw;
  }
}

/** The parts of a line. Every text is drawn as text, HTML too. */
export const Inline = ({ tokens }: { readonly tokens: readonly Token[] }) =>
  tokens.map((token, index) => <Part key={index} token={token} />);
