/** The text of a badge: a label and its value, for use in READMEs. */
export interface BadgeText {
  readonly label: string;
  readonly value: string;
  /** Background of the value: `#1a7a3a`. */
  readonly colour: string;
  /** Without rounded corners. */
  readonly isSquare?: boolean;
}

const HEIGHT = 20;
const PADDING = 6;
const MAX_CHARACTERS = 80;

/** A flat badge that needs no style sheet, font or script. */
export function badgeSvg({ label, value, colour, isSquare = false }: BadgeText): string {
  const [left, right] = [widthOf(label), widthOf(value)];
  const width = left + right;
  const text = (shown: string, middle: number) =>
    `<text x="${middle}" y="14">${Bun.escapeHTML(shown.slice(0, MAX_CHARACTERS).toWellFormed())}</text>`;
  const title = Bun.escapeHTML(`${label}: ${value}`.toWellFormed());
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="c"><rect width="${width}" height="${HEIGHT}" rx="${isSquare ? 0 : 3}"/></clipPath>
<g clip-path="url(#c)"><path fill="#4a515c" d="M0 0h${left}v${HEIGHT}H0z"/><path fill="${colour}" d="M${left} 0h${right}v${HEIGHT}H${left}z"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(label, left / 2)}${text(value, left + right / 2)}</g>
</svg>
`;
}

/** Approximate width of a text in that font; non-Latin characters are wider. */
function widthOf(text: string): number {
  let width = 2 * PADDING;
  for (const character of text.slice(0, MAX_CHARACTERS)) {
    if (character > "\u{2fff}") width += 12;
    else width += /[ijlI.,:;'|! ]/.test(character) ? 4 : /[mwMW]/.test(character) ? 10 : 7;
  }
  return width;
}
