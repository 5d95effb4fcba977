import { type RefObject, useEffect, useRef } from 'react';

/** Who has scrolled up farther than this reads something else. */
const NEAR_PX = 160;

const distanceToEnd = (): number => document.documentElement.scrollHeight - window.innerHeight - window.scrollY;

/**
 * Keeps the end of a growing page in view, also when its last lines come after the answer. It leaves the page alone while
 * the person reads elsewhere, or opens a part of an answer that has ended. The ref is that of what grows.
 */
export function useFollowEnd(isOn: boolean, isRunning: boolean): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  const wasNear = useRef(true);
  const hasOpened = useRef(false);
  useEffect(() => {
    if (isRunning) hasOpened.current = false;
  }, [isRunning]);
  useEffect(() => {
    const element = page.current;
    if (!isOn || element === null) return;
    let lastY = window.scrollY;
    // An answer may grow between a scroll and its event, so only a scroll upwards leaves the end.
    const remember = () => {
      const isNear = distanceToEnd() < NEAR_PX;
      if (isNear || window.scrollY < lastY) wasNear.current = isNear;
      lastY = window.scrollY;
    };
    const open = ({ target }: Event) => {
      if (target instanceof Element && target.closest('summary') !== null) hasOpened.current = true;
    };
    const observer = new ResizeObserver(() => {
      if (wasNear.current && !hasOpened.current) window.scrollTo({ top: document.documentElement.scrollHeight });
    });
    observer.observe(element);
    addEventListener('scroll', remember, { passive: true });
    element.addEventListener('click', open);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', remember);
      element.removeEventListener('click', open);
    };
  }, [isOn]);
  return page;
}
