import type { Contributions } from "../../src/activity/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { homeWords } from "./words/index.ts";

export const DAY_MS = 86_400_000;
const WEEKS = 53;
const DAYS = 7;
/** A day's square with the gap beside it, in SVG units. */
const SQUARE = 10;
const STEP = 12;
/** Thresholds at which a square gets darker. */
const LEVELS = [1, 3, 6, 12] as const;

export interface HeatMapProps {
  /** By UTC day, oldest first; days without contributions are left out. */
  readonly days: readonly Contributions[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The page that shows one day, given by `date` in its query. */
  readonly href: string;
}

/**
 * A year of days as squares, one column per week; darker means more contributions. Drawn with SVG attributes (inline
 * styles are blocked); each square links to its day.
 */
export function HeatMap({ days, now, href }: HeatMapProps) {
  const t = useWords(homeWords);
  const language = useLanguage();
  const today = Math.floor(now / DAY_MS);
  // The last column is this week's, from Sunday; 1 January 1970 was a Thursday.
  const first = today - ((today + 4) % DAYS) - (WEEKS - 1) * DAYS;
  const shown = days.filter(({ from }) => from >= first * DAY_MS);
  const counts = new Map(shown.map(({ from, count }) => [Math.floor(from / DAY_MS), count]));
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <figure class="heat-map">
      <figcaption>{t("contributions", { count: total })}</figcaption>
      <svg viewBox={`0 0 ${WEEKS * STEP} ${DAYS * STEP}`} aria-hidden="true">
        {Array.from({ length: today - first + 1 }, (_, at) => {
          const [x, y] = [Math.floor(at / DAYS) * STEP, (at % DAYS) * STEP];
          const count = counts.get(first + at) ?? 0;
          const square = (
            <rect class={`heat-${levelOf(count)}`} x={x} y={y} width={SQUARE} height={SQUARE} rx={2}>
              {count > 0 ? (
                <title>{t("contributionsOn", { count, day: language.day((first + at) * DAY_MS) })}</title>
              ) : null}
            </rect>
          );
          if (count === 0) return square;
          return (
            <a href={withQuery(href, { date: dateOf(first + at) })} tabindex={-1}>
              {square}
            </a>
          );
        })}
      </svg>
      <p class="heat-scale" aria-hidden="true">
        {t("less")}
        <svg viewBox={`0 0 ${(LEVELS.length + 1) * STEP} ${SQUARE}`} aria-hidden="true">
          {[0, ...LEVELS].map((_, level) => (
            <rect class={`heat-${level}`} x={level * STEP} y={0} width={SQUARE} height={SQUARE} rx={2} />
          ))}
        </svg>
        {t("more")}
      </p>
    </figure>
  );
}

function levelOf(count: number): number {
  return LEVELS.filter((least) => count >= least).length;
}

/** `YYYY-MM-DD` */
function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
