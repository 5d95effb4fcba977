import { type RefObject, useLayoutEffect, useState } from 'react';

/** The inner width of an element in pixels; infinite before it is drawn. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    const measure = () => setWidth(watched.clientWidth);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
