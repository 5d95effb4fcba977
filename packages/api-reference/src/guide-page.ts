import { Marked, type Tokens } from 'marked';
import { documentFile } from './document-files.js';
import { addressOf, withServedLinks } from './guide-links.js';
import { GUIDES, type Guide, guideNames } from './guides.js';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const markdown = new Marked({
  renderer: {
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    heading({ tokens, depth, text }: Tokens.Heading) {
      const words = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${words}</h1>\n`;
      const anchor = anchorOf(text);
      return `<h${depth} id="${anchor}">${words} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
    },
    code({ text }: Tokens.Code) {
      return `<div class="program"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;
    },
    table(token: Tokens.Table) {
      const cells = (row: Tokens.TableCell[], tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
      return `<div class="wide" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`;
    },
  },
});

const linkTo = (name: Guide, current: Guide): string =>
  `<a href="/docs/${name}"${name === current ? ' aria-current="page"' : ''}>${GUIDES[name]}</a>`;

/** The Markdown twin of a page. */
export const guideMarkdown = (name: Guide): string => withServedLinks(documentFile(`how-to/${name}.md`));

/** A how-to as a page. It loads one style sheet and one script, and nothing from elsewhere. */
export function guidePage(name: Guide): string {
  const body = markdown.parse(documentFile(`how-to/${name}.md`), { async: false });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${GUIDES[name]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages.css">
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
</head>
<body>
<nav><a href="/docs">Reference</a>${guideNames.map((guide) => linkTo(guide, name)).join('')}</nav>
<main>${body}</main>
<script src="/docs/guide.js"></script>
</body>
</html>
`;
}
