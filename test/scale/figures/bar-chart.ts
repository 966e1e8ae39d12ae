import { headHeight, lineHeight, picture, pictureWidth, rect, text } from './svg.ts';

/** A bar with its parts, each a value in the color of the part's name. */
export interface Bar {
  readonly label: string;
  readonly parts: readonly number[];
}

interface Chart {
  readonly title: string;
  /** The names of the parts of each bar. */
  readonly parts: readonly string[];
  readonly bars: readonly Bar[];
  /** Formats a sum. */
  readonly format: (value: number) => string;
}

const barHeight = 14;
const rowHeight = lineHeight + barHeight + 4;
/** Of the longest bar: its sum stands beside it. */
const barWidth = pictureWidth - 60;

/** Draws horizontal bars, each below its label. */
export function barChart({ title, parts, bars, format }: Chart): string {
  const sumOf = (bar: Bar) => bar.parts.reduce((sum, part) => sum + part, 0);
  const longest = Math.max(...bars.map(sumOf));
  const top = headHeight(parts.length);
  const elements = bars.map((bar, index) => {
    const y = top + rowHeight * index;
    let x = 0;
    const rects = bar.parts.map((value, part) => {
      const width = (value / longest) * barWidth;
      x += width;
      return rect(x - width, y + lineHeight, width, barHeight, part);
    });
    const sum = text(x + 6, y + lineHeight + barHeight - 2, format(sumOf(bar)));
    return `${text(0, y + 16, bar.label)}${rects.join('')}${sum}`;
  });
  return picture({ title, names: parts, height: top + rowHeight * bars.length + 4, elements });
}
