import { type BurnDown, DAY_MS } from "../../src/milestones/burn-down.ts";
import { useLanguage, useWords } from "../language.ts";
import { milestonesWords } from "./words/index.ts";

const WIDTH = 600;
const HEIGHT = 120;

/** The remaining items by day, and the ideal line from all to none on the due day; a table has the same numbers. */
export function BurnDownChart({ burnDown: { dueDay, points } }: { burnDown: BurnDown }) {
  const t = useWords(milestonesWords);
  const language = useLanguage();
  const first = points[0];
  const latest = points.at(-1);
  if (!first || !latest || points.length < 2) return null;
  const lastDay = Math.max(latest.day, dueDay ?? 0);
  const most = Math.max(1, ...points.map(({ left }) => left));
  const x = (day: number) => (((day - first.day) / Math.max(DAY_MS, lastDay - first.day)) * WIDTH).toFixed(1);
  const y = (left: number) => (HEIGHT - 2 - (Math.max(0, left) / most) * (HEIGHT - 8)).toFixed(1);
  const line = points.map(({ day, left }, at) => `${at === 0 ? "M" : "L"}${x(day)} ${y(left)}`).join("");
  return (
    <figure class="chart">
      <figcaption class="strong">{t("burnDown")}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="chart-base" x={0} y={HEIGHT - 1} width={WIDTH} height={1} />
        {dueDay === undefined || dueDay <= first.day ? null : (
          <path class="burn-down-even" d={`M0 ${y(most)}L${x(dueDay)} ${y(0)}`} />
        )}
        <path class="chart-line" d={line} />
      </svg>
      <p class="chart-ends" aria-hidden="true">
        <span>{language.day(first.day)}</span>
        <span>{language.day(lastDay)}</span>
      </p>
      <details>
        <summary>{t("showNumbers")}</summary>
        <div class="table-box">
          <table class="table">
            <caption class="hidden-text">{t("burnDown")}</caption>
            <tbody>
              {points.map(({ day, left }) => (
                <tr>
                  <th scope="row">{language.day(day)}</th>
                  <td class="num">{language.number(left)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
