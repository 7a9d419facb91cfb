import { useLanguage, useWords } from "../language.ts";
import { insightsWords } from "./words/index.ts";

/** Half of a cell. */
const MAX_RADIUS = 12;
/** A Sunday. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** When people commit: the hours of a week as dots, and as a table for those who cannot see them. */
export function PunchCard({ hours }: { hours: readonly number[] }) {
  const t = useWords(insightsWords);
  const language = useLanguage();
  const weekday = new Intl.DateTimeFormat(language.tag, { weekday: "long", timeZone: "UTC" });
  const largest = Math.max(1, ...hours);
  return (
    <section class="table-box punch-card" aria-label={t("hours")} tabindex={0}>
      <table>
        <caption>{t("hours")}</caption>
        <thead>
          <tr>
            <td />
            {Array.from({ length: 24 }, (_, hour) => (
              <th scope="col">{hour}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 7 }, (_, day) => (
            <tr>
              <th scope="row">{weekday.format(SUNDAY + day * DAY_MS)}</th>
              {hours.slice(day * 24, day * 24 + 24).map((count) => (
                <td title={count === 0 ? undefined : t("commitCount", { count })}>
                  <Dot share={count / largest} />
                  <span class="hidden-text">{language.number(count)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The area of the dot, not its width, is proportional to the count. */
function Dot({ share }: { share: number }) {
  const radius = share === 0 ? 1 : Math.max(2, Math.round(Math.sqrt(share) * MAX_RADIUS));
  return (
    <svg width={2 * MAX_RADIUS} height={2 * MAX_RADIUS} aria-hidden="true">
      <circle cx={MAX_RADIUS} cy={MAX_RADIUS} r={radius} fill={share === 0 ? "var(--line-strong)" : "var(--accent)"} />
    </svg>
  );
}
