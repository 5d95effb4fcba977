import { useEffect } from 'react';

/** What may take the focus in place of a part of it that is gone. */
const PLACES = 'section, [role="grid"], main';
/** A list takes the keys by its row. */
const CURRENT_ROW = '[role="row"][tabindex="0"]';

function placesAround(element: Element): readonly HTMLElement[] {
  const place = element.closest<HTMLElement>(PLACES);
  return place === null ? [] : [place, ...(place.parentElement === null ? [] : placesAround(place.parentElement))];
}

function focusPlace(place: HTMLElement): void {
  const row = place.matches('[role="grid"]') ? place.querySelector<HTMLElement>(CURRENT_ROW) : null;
  const target = row ?? place;
  if (target === place) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * What had the focus may be deleted, and its dialog finds nothing to give the focus back to. Then the nearest part of the
 * page that is left takes it: otherwise the keys and a screen reader would begin again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: readonly HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = target;
      if (target.closest('main') !== null) around = placesAround(target);
    };
    const keep = () => {
      if (document.activeElement !== document.body || last?.isConnected !== false) return;
      const left = around.find((place) => place.isConnected);
      if (left !== undefined) focusPlace(left);
    };
    // A dialog gives the focus back in the frame after it is gone.
    const observer = new MutationObserver(() => {
      if (last?.isConnected === false) requestAnimationFrame(() => requestAnimationFrame(keep));
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
