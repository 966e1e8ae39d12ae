/** All pictures are as wide as a phone, so that their text stays readable there. */
export const pictureWidth = 400;

export const lineHeight = 22;

/** The height of the title and a legend with so many names. */
export const headHeight = (names: number): number => lineHeight * (1 + Math.ceil(names / namesInLine)) + 10;

/** A gray for text, and colors, that are readable on white and on black. */
const gray = '#727a83';
export const colors = ['#3987e5', '#d9822b', '#2ea067', '#a371f7', '#e5534b'];

/** Names in a line of a legend. */
const namesInLine = 2;

interface Picture {
  readonly title: string;
  /** The names of what has the colors, in their order. */
  readonly names: readonly string[];
  readonly height: number;
  /** Elements below the head. */
  readonly elements: readonly string[];
}

/** Draws an SVG that needs no style of the page. */
export function picture({ title, names, height, elements }: Picture): string {
  const legend = names.map((name, index) => {
    const x = (index % namesInLine) * (pictureWidth / namesInLine);
    const y = lineHeight * (1 + Math.floor(index / namesInLine)) + 4;
    return `${rect(x, y, 12, 12, index)}${text(x + 18, y + 11, name)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureWidth}" height="${height}" viewBox="0 0 ${pictureWidth} ${height}" font-family="sans-serif" font-size="14" role="img">
<title>${escapeXml(title)}</title>
${[text(0, 15, title), ...legend, ...elements].join('\n')}
</svg>
`;
}

export const rect = (x: number, y: number, width: number, height: number, color: number) =>
  `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}" fill="${colors[color]}"/>`;

export const text = (x: number, y: number, words: string, anchor = 'start') =>
  `<text x="${x.toFixed(1)}" y="${y}" fill="${gray}" text-anchor="${anchor}">${escapeXml(words)}</text>`;

/** A line through points. */
export const path = (points: readonly (readonly [x: number, y: number])[], color: number, dashes = '') =>
  `<polyline points="${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}" fill="none" stroke="${colors[color] ?? gray}" stroke-width="2.5" stroke-dasharray="${dashes}"/>`;

export const rule = (x: number, y: number, toX: number, toY: number) =>
  `<line x1="${x.toFixed(1)}" y1="${y.toFixed(1)}" x2="${toX.toFixed(1)}" y2="${toY.toFixed(1)}" stroke="${gray}" stroke-opacity="0.4"/>`;

const escapeXml = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
