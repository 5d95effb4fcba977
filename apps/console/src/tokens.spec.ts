import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const OKLCH = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`;
const TOKEN = new RegExp(String.raw`--color-([\w-]+): light-dark\(${OKLCH}, ${OKLCH}\)`, 'g');

/** The relative luminance of a colour, as WCAG 2 defines it. */
function luminance([lightness = 0, chroma = 0, hue = 0]: readonly number[]): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short;
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short;
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const tokens = new Map(
  [...css.matchAll(TOKEN)].map(([, name = '', ...numbers]) => {
    const [light, dark] = [numbers.slice(0, 3), numbers.slice(3)].map((colour) => luminance(colour.map(Number)));
    return [name, { light: light ?? 0, dark: dark ?? 0 }];
  }),
);

function contrast(one: string, other: string, theme: 'light' | 'dark'): number {
  const [darker = 0, lighter = 0] = [one, other].map((name) => tokens.get(name)?.[theme] ?? Number.NaN).sort();
  return (lighter + 0.05) / (darker + 0.05);
}

const GROUNDS = ['ground', 'surface', 'sunken'] as const;
const THEMES = ['light', 'dark'] as const;
const EVERYWHERE = THEMES.flatMap((theme) => GROUNDS.map((ground) => [theme, ground] as const));

it.each(EVERYWHERE)('shows in the %s theme on %s where a person fills in', (theme, ground) => {
  expect(contrast('control', ground, theme)).toBeGreaterThanOrEqual(3);
});

it.each(EVERYWHERE)('has words that can be read in the %s theme on %s', (theme, ground) => {
  const words = ['text', 'muted', 'accent', 'running', 'succeeded', 'failed', 'warned', 'money-in', 'money-out'];
  const faint = words.filter((name) => !(contrast(name, ground, theme) >= 4.5));
  expect(faint).toEqual([]);
});
