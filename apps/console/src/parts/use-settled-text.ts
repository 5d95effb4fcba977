import { useEffect, useRef, useState } from 'react';

const SETTLE_MS = 300;

interface SettledText {
  /** As the address has it. */
  readonly value: string;
  readonly onValue: (value: string | undefined) => void;
  /** False: the person has not written it whole yet. */
  readonly isWhole?: (text: string) => boolean;
}

const always = () => true;

/**
 * The text of a field that takes effect when the person stops typing. The address changes a moment after that, and what
 * was typed meanwhile stays.
 */
export function useSettledText({ value, onValue, isWhole = always }: SettledText) {
  const [text, setText] = useState(value);
  const onTheWay = useRef<string[]>([]);
  useEffect(() => {
    const place = onTheWay.current.indexOf(value);
    if (place < 0) setText(value);
    else onTheWay.current.splice(0, place + 1);
  }, [value]);
  useEffect(() => {
    if (text === value || text === onTheWay.current.at(-1) || !isWhole(text)) return undefined;
    const timer = setTimeout(() => {
      onTheWay.current.push(text);
      onValue(text === '' ? undefined : text);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onValue, isWhole]);
  return [text, setText] as const;
}
