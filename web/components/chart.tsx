/** Small charts drawn with SVG attributes (inline styles are blocked); a table has the same numbers. */
import { useLanguage, useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";

export interface ChartPoint {
  readonly label: string;
  readonly value: number;
}

export interface ChartProps {
  readonly kind: "bars" | "line";
  /** What is counted: "Commits a week". */
  readonly title: string;
  readonly points: readonly ChartPoint[];
}

const HEIGHT = 100;
/** Width of a point in SVG units; the drawing is stretched to the page. */
const STEP = 10;

export function Chart({ kind, title, points }: ChartProps) {
  const t = useWords(siteWords);
  const language = useLanguage();
  const largest = Math.max(1, ...points.map((point) => point.value));
  const y = (value: number) => HEIGHT - (Math.max(0, value) / largest) * (HEIGHT - 4);
  const width = Math.max(1, points.length) * STEP;
  return (
    <figure class="chart">
      <figcaption class="strong">{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="chart-base" x={0} y={HEIGHT - 1} width={width} height={1} />
        {kind === "bars" ? (
          points.map((point, at) => (
            <rect
              class="chart-shape"
              x={at * STEP + 1}
              y={y(point.value).toFixed(1)}
              width={STEP - 2}
              height={(HEIGHT - y(point.value)).toFixed(1)}
            />
          ))
        ) : (
          <path
            class="chart-line"
            d={points
              .map((p, at) => `${at === 0 ? "M" : "L"}${at * STEP + STEP / 2} ${y(p.value).toFixed(1)}`)
              .join("")}
          />
        )}
      </svg>
      <p class="chart-ends" aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
      <details>
        <summary>{t("showNumbers")}</summary>
        <div class="table-box">
          <table class="table">
            <caption class="hidden-text">{title}</caption>
            <tbody>
              {points.map((point) => (
                <tr>
                  <th scope="row">{point.label}</th>
                  <td class="num">{language.number(point.value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
