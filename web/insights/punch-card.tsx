import { useLanguage, useWords } from "../language.ts";
import { insightsWords } from "./words/index.ts";

/** Sizes of a dot in the style sheet. */
const SIZES = 6;
/** A Sunday. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** When people commit: the hours of a week as dots, and as a table for those who do not see them. */
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
                  <span class={`dot dot-${count === 0 ? 0 : Math.ceil(Math.sqrt(count / largest) * SIZES)}`}>
                    <span class="hidden-text">{language.number(count)}</span>
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
