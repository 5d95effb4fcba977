import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Task } from '../../api/media.js';

/** True from the first time that the element is near the visible part of the page. */
function useWasSeen(element: React.RefObject<HTMLElement | null>): boolean {
  const [wasSeen, setWasSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setWasSeen(true);
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return wasSeen;
}

const wantsMotion = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;

interface VideoPreviewProps {
  readonly video: NonNullable<Task['video']>;
  /** True: the person points at it, or has moved the focus there. */
  readonly isPlaying: boolean;
}

/** The first frame, which plays while a person points at it. A browser has few connections, so it loads when it is seen. */
export function VideoPreview({ video, isPlaying }: VideoPreviewProps) {
  const { t } = useLingui();
  const element = useRef<HTMLVideoElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const wasSeen = useWasSeen(element);
  useEffect(() => {
    const player = element.current;
    if (player === null || !wasSeen) return;
    // A browser may refuse to play, such as without the codec: the frame stays.
    if (isPlaying && wantsMotion()) player.play().catch(() => undefined);
    else player.pause();
  }, [isPlaying, wasSeen]);
  return (
    <>
      <video
        ref={element}
        src={wasSeen ? video.url : undefined}
        {...(video.last_frame_url !== null && { poster: video.last_frame_url })}
        preload="metadata"
        muted
        loop
        playsInline
        aria-hidden
        tabIndex={-1}
        onError={() => setHasFailed(true)}
        className="absolute inset-0 size-full object-cover"
      />
      {hasFailed && (
        <p className="absolute inset-0 grid place-items-center bg-sunken p-4 text-center text-muted text-small">
          {t`The video was deleted or has expired, or this browser does not know its format.`}
        </p>
      )}
    </>
  );
}
