import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/button.jsx';
import { drawStroke, maskOf, type Point } from './mask.js';

const BRUSHES = [16, 32, 64, 128] as const;

/** The pixels of an image file, drawn on a canvas of its own size. False: the browser cannot decode it. */
async function show(image: File, canvas: HTMLCanvasElement): Promise<boolean> {
  const bitmap = await createImageBitmap(image).catch(() => null);
  if (bitmap === null) return false;
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return true;
}

/** A canvas may be shown smaller than it is. */
function pointOf(event: PointerEvent<HTMLCanvasElement>): Point {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const { width: pixelsWide, height: pixelsHigh } = event.currentTarget;
  return {
    x: ((event.clientX - left) / width) * pixelsWide,
    y: ((event.clientY - top) / height) * pixelsHigh,
  };
}

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The layer that is painted, and the last point of the brush. */
function useBrush(image: File, onMask: (mask: Blob | null) => void) {
  const base = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLCanvasElement>(null);
  const last = useRef<Point | null>(null);
  const [brush, setBrush] = useState<number>(64);
  const [isShown, setIsShown] = useState(true);
  useEffect(() => {
    const [below, above] = [base.current, layer.current];
    if (below === null || above === null) return;
    void show(image, below).then((couldShow) => {
      setIsShown(couldShow);
      above.width = below.width;
      above.height = below.height;
    });
  }, [image]);
  const paint = (to: Point) => {
    if (layer.current !== null) drawStroke(layer.current, last.current ?? to, to, brush);
    last.current = to;
  };
  const publish = () => {
    if (layer.current !== null) void maskOf(layer.current).then(onMask);
  };
  const clear = () => {
    layer.current?.getContext('2d')?.clearRect(0, 0, layer.current.width, layer.current.height);
    last.current = null;
    onMask(null);
  };
  const move = (event: KeyboardEvent) => {
    const canvas = layer.current;
    const step = STEPS[event.key];
    if (canvas === null || (step === undefined && event.key !== ' ')) return;
    event.preventDefault();
    const from = last.current ?? { x: canvas.width / 2, y: canvas.height / 2 };
    const [right, down] = step ?? [0, 0];
    paint({ x: from.x + right * brush, y: from.y + down * brush });
    publish();
  };
  return { base, layer, last, isShown, brush, setBrush, paint, publish, clear, move };
}

/** What may change is painted over the image. The arrow keys paint too. */
export function MaskEditor({ image, onMask }: { readonly image: File; readonly onMask: (mask: Blob | null) => void }) {
  const { t } = useLingui();
  const { base, layer, last, isShown, brush, setBrush, paint, publish, clear, move } = useBrush(image, onMask);
  const start = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = null;
    paint(pointOf(event));
  };
  return (
    <>
      {!isShown && (
        <p role="alert" className="text-failed">
          <Trans>This image cannot be read. Choose a PNG, JPEG or WebP file.</Trans>
        </p>
      )}
      <figure aria-label={t`Mask`} hidden={!isShown} className="flex flex-col gap-2">
        <figcaption className="text-muted">
          <Trans>Paint what may change. Without paint, everything may.</Trans>
        </figcaption>
        <div className="relative max-w-md overflow-hidden rounded-panel border">
          <canvas ref={base} className="block w-full" />
          <canvas
            ref={layer}
            tabIndex={0}
            aria-label={t`Paint the mask. Arrow keys paint, too.`}
            onKeyDown={move}
            onPointerDown={start}
            onPointerMove={(event) => event.buttons === 1 && paint(pointOf(event))}
            onPointerUp={publish}
            className="absolute inset-0 size-full cursor-crosshair touch-none opacity-60"
          />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {BRUSHES.map((size) => (
            <Button
              key={size}
              kind={size === brush ? 'plain' : 'quiet'}
              aria-pressed={size === brush}
              onClick={() => setBrush(size)}
            >
              {t`${size} px`}
            </Button>
          ))}
          <Button kind="quiet" onClick={clear}>
            <Trans>Clear the mask</Trans>
          </Button>
        </div>
      </figure>
    </>
  );
}
