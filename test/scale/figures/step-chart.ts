import { headHeight, lineHeight, path, picture, pictureWidth, rule, text } from './svg.ts';

interface Chart {
  readonly title: string;
  /** Shares from 0 to 1, one a minute, by their name. */
  readonly lines: Readonly<Record<string, readonly number[]>>;
  /** The share at the top. */
  readonly highest: number;
}

const plotHeight = 180;
const left = 44;

/** Draws shares over the minutes as steps. */
export function stepChart({ title, lines, highest }: Chart): string {
  const names = Object.keys(lines);
  const top = headHeight(names.length) + 8;
  const minutes = Math.max(...Object.values(lines).map(({ length }) => length));
  const x = (minute: number) => left + (minute / minutes) * (pictureWidth - left - 14);
  const y = (share: number) => top + (1 - share / highest) * plotHeight;

  const shares = [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest);
  const scale = shares.map(
    (share) =>
      `${rule(left, y(share), x(minutes), y(share))}${text(left - 6, y(share) + 5, percent(share), 'end')}`,
  );
  const tens = Array.from({ length: Math.floor(minutes / 10) + 1 }, (_, index) => index * 10);
  const times = tens.map((minute) => text(x(minute), y(0) + lineHeight, `${minute}`, 'middle'));
  // Where two lines coincide, both show: every other one is dashed, and above the others.
  const isDashed = (index: number) => index % 2 === 1;
  const steps = Object.values(lines).map((line, index) =>
    path(
      line.flatMap((share, minute) => [[x(minute), y(share)] as const, [x(minute + 1), y(share)] as const]),
      index,
      isDashed(index) ? '6 4' : '',
    ),
  );
  const inOrder = [
    ...steps.filter((_, index) => !isDashed(index)),
    ...steps.filter((_, index) => isDashed(index)),
  ];
  const axis = text(x(minutes), y(0) + 2 * lineHeight, 'minutes', 'end');
  const height = top + plotHeight + 2 * lineHeight + 8;
  return picture({ title, names, height, elements: [...scale, ...times, ...inOrder, axis] });
}

export const percent = (share: number): string => `${Math.round(100 * share)}%`;
