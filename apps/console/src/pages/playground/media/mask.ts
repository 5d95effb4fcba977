export interface Point {
  readonly x: number;
  readonly y: number;
}

const PAINT = 'rgb(220 38 38)';

/** Paints a line with round ends; a point is a dot. `width`: pixels. */
export function drawStroke(canvas: HTMLCanvasElement, from: Point, to: Point, width: number): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.strokeStyle = PAINT;
  context.lineWidth = width;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

/** A PNG of the layer's size, transparent where the layer is painted and black elsewhere: what the API expects. */
export async function maskOf(layer: HTMLCanvasElement): Promise<Blob | null> {
  const mask = document.createElement('canvas');
  mask.width = layer.width;
  mask.height = layer.height;
  const context = mask.getContext('2d');
  if (context === null) return null;
  context.fillRect(0, 0, mask.width, mask.height);
  context.globalCompositeOperation = 'destination-out';
  context.drawImage(layer, 0, 0);
  return new Promise((resolve) => {
    mask.toBlob(resolve, 'image/png');
  });
}
