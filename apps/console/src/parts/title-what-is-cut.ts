const CUT = '.truncate';

const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean =>
  scrollWidth > clientWidth || scrollHeight > clientHeight;

/** A cell that shows only a part of its text has all of it under the pointer. Its width may change, so it is measured then. */
export function titleWhatIsCut(cell: HTMLElement): void {
  if ([cell, ...cell.querySelectorAll(CUT)].some(isCut)) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}
