import { useEffect, useState } from 'react';

/** Says the title of each page that opens. The browser loads none, so that a screen reader would stay silent. */
export function PageAnnouncer() {
  const [title, setTitle] = useState('');
  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}
