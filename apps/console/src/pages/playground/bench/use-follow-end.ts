import { useEffect, useRef } from 'react';

/** Who has scrolled up farther than this reads something else. */
const NEAR_PX = 160;

const distanceToEnd = (): number => document.documentElement.scrollHeight - window.innerHeight - window.scrollY;

/** Keeps the end of a growing page in view, unless the person has scrolled away from it. `content`: what grows. */
export function useFollowEnd(isOn: boolean, content: unknown): void {
  const wasNear = useRef(true);
  useEffect(() => {
    const remember = () => {
      wasNear.current = distanceToEnd() < NEAR_PX;
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  useEffect(() => {
    if (isOn && wasNear.current) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, [isOn, content]);
}
