/**
 * The style of the guides and of the frame of the reference. Inside the reference only the tables of its prose have rules
 * of ours, and only the colours that are too light to read have values of ours.
 */
export const PAGES_CSS = `
:root { color-scheme: light dark; --line: light-dark(#e2e4e9, #33363d); --soft: light-dark(#f5f6f8, #1b1d22); --link: light-dark(#0b5cad, #7db8f5); }
body { margin: 0; background: light-dark(#fff, #121316); color: light-dark(#1c1f25, #e6e8ec); font: 16px/1.6 system-ui, sans-serif; }
body > nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--soft); font-size: .9rem; }
body > nav a { color: var(--link); text-decoration: none; }
body > nav a[aria-current] { color: inherit; font-weight: 600; }
body > main {
  box-sizing: border-box; max-width: 52rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: break-word;
  a { color: var(--link); }
  h1, h2, h3 { line-height: 1.25; }
  h2 { margin-top: 2.5rem; }
  pre { padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); font-size: .85rem; }
  .anchor { text-decoration: none; opacity: 0; }
  :is(h2, h3, h4):hover .anchor, .anchor:focus-visible { opacity: 1; }
  .program { position: relative; }
  .program button {
    position: absolute; top: .4rem; right: .4rem; padding: .15rem .6rem; border: 1px solid var(--line); border-radius: .375rem;
    background: light-dark(#fff, #121316); color: inherit; font: inherit; font-size: .8rem; cursor: pointer;
  }
  code { font-family: ui-monospace, monospace; font-size: .9em; }
  pre code { font-size: 1em; }
  :not(pre) > code { padding: .1em .3em; border-radius: .25rem; background: var(--soft); overflow-wrap: anywhere; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-size: .9rem; }
  th, td { padding: .4rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
}
#reference .markdown table { display: block; max-width: 100%; overflow-x: auto; }
#reference .markdown :is(th, td) { word-break: normal; overflow-wrap: normal; white-space: nowrap; }
#reference .markdown table code { white-space: nowrap; }
body.light-mode { --scalar-color-3: #6b6b6b; --scalar-color-green: #007a4d; --scalar-color-red: #d40006; --scalar-color-yellow: #856200; --scalar-color-orange: #b03e00; }
body.dark-mode { --scalar-color-3: #9a9a9a; --scalar-color-red: #ff6b68; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
