import { GUIDES, guideNames } from './guides.js';

/** The frame of the reference. Its scripts are files of this server, so that the policy needs no inline script. */
export const referencePage = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages.css">
<link rel="alternate" type="text/markdown" href="/docs/reference.md">
</head>
<body>
<nav><a href="/docs" aria-current="page">Reference</a>${guideNames.map((name) => `<a href="/docs/${name}">${GUIDES[name]}</a>`).join('')}</nav>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Starts the reference: no proxy, no fonts or services of another host. `scheme`: the credential that is chosen first. */
export const startScript = (scheme: string): string => `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  persistAuth: false,
  defaultOpenAllTags: false,
  // The document has programs of its own, and tests run them.
  hiddenClients: true,
  authentication: { preferredSecurityScheme: '${scheme}' },
  // Each operation shows its schemas, and the API has models of another kind.
  hideModels: true,
});
// Wide tables of its prose scroll, so the keyboard must reach them.
new MutationObserver(() => {
  for (const table of document.querySelectorAll('#reference .markdown table:not([tabindex])')) table.tabIndex = 0;
}).observe(document.body, { childList: true, subtree: true });
`;
