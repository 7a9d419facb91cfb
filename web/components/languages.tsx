import { useLanguage } from "../language.ts";

export interface LanguageShare {
  readonly name: string;
  /** Per cent, one decimal. */
  readonly share: number;
  /** `#rrggbb`. */
  readonly colour: string;
}

/** Percent of the bar's width. */
const MIN_WIDTH = 1.2;

const plainColour = (colour: string) => (/^#[0-9a-f]{3,8}$/i.test(colour) ? colour : "#8b949e");

/**
 * The languages of a repository: a bar drawn with SVG attributes (inline styles are blocked), and the same as a list.
 */
export function LanguageBar({ languages }: { languages: readonly LanguageShare[] }) {
  const spoken = useLanguage();
  // Even the smallest must be visible; the others give up the width it takes.
  const widths = languages.map((language) => Math.max(MIN_WIDTH, language.share));
  const total = widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const pieces = languages.map((language, at) => {
    const from = x;
    const width = ((widths[at] ?? 0) / total) * 100;
    x += width;
    return { from, width, colour: plainColour(language.colour) };
  });
  return (
    <div class="languages">
      <svg
        class="language-bar"
        viewBox="0 0 100 1"
        width="100%"
        height="8"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {pieces.map((piece) => (
          <rect
            x={piece.from.toFixed(2)}
            y={0}
            width={Math.max(0, piece.width - 0.4).toFixed(2)}
            height={1}
            fill={piece.colour}
          />
        ))}
      </svg>
      <ul>
        {languages.map((language) => (
          <li>
            <Dot colour={language.colour} />
            {language.name} <span class="muted">{spoken.percent(language.share)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The colour of a language as a dot. */
export function Dot({ colour }: { colour: string }) {
  return (
    <svg class="dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <circle cx={5} cy={5} r={5} fill={plainColour(colour)} />
    </svg>
  );
}
