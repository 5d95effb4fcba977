/** Adds a button to each program of a guide. The policy of the pages admits no inline script, so it is a file. */
export const GUIDE_SCRIPT = `for (const program of document.querySelectorAll('main .program')) {
  const code = program.querySelector('code');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent.trimEnd());
      button.textContent = 'Copied';
    } catch {
      // An address without TLS: the text is chosen, and the keys copy it.
      getSelection().selectAllChildren(code);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  program.append(button);
}
`;
