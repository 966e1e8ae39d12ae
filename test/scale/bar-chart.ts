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

const rowHeight = 24;
const labelWidth = 250;
const barWidth = 420;

/** A gray for text, and colors for bars, that are readable on white and on black. */
const gray = '#77808a';
const colors = ['#3987e5', '#d9822b', '#2ea067', '#a371f7', '#e5534b'];

/** Draws horizontal bars as an SVG that needs no style of the page. */
export function barChart({ title, parts, bars, format }: Chart): string {
  const sumOf = (bar: Bar) => bar.parts.reduce((sum, part) => sum + part, 0);
  const longest = Math.max(...bars.map(sumOf));
  const height = rowHeight * (bars.length + 2) + 8;
  const legend = parts.map((name, index) => {
    const x = 8 + index * 150;
    return `${rect(x, rowHeight + 4, 12, 12, index)}${text(x + 18, rowHeight + 15, name)}`;
  });
  const rows = bars.map((bar, index) => {
    const y = rowHeight * (index + 2);
    let x = labelWidth;
    const rects = bar.parts.map((value, part) => {
      const width = (value / longest) * barWidth;
      x += width;
      return rect(x - width, y + 4, width, rowHeight - 8, part);
    });
    return `${text(8, y + 16, bar.label)}${rects.join('')}${text(x + 6, y + 16, format(sumOf(bar)))}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}" font-family="sans-serif" font-size="13" role="img">
<title>${title}</title>
${text(8, 16, title)}
${[...legend, ...rows].join('\n')}
</svg>
`;
}

const rect = (x: number, y: number, width: number, height: number, color: number) =>
  `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}" fill="${colors[color]}"/>`;

const text = (x: number, y: number, words: string) =>
  `<text x="${x.toFixed(1)}" y="${y}" fill="${gray}">${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
