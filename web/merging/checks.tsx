import type { StatusState } from "../../src/statuses/types.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { Badge } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { mergingWords } from "./words/index.ts";

/** The newest status of a check. */
export interface ShownCheck {
  readonly context: string;
  readonly state: StatusState;
  readonly description: string;
  /** undefined: it names none, or none that could be followed. */
  readonly href: string | undefined;
  readonly isRequired: boolean;
}

export interface ShownChecks {
  readonly statuses: readonly ShownCheck[];
  /** Required patterns that nothing was said of. */
  readonly missing: readonly string[];
}

const looks: Readonly<Record<StatusState, readonly [IconName, string]>> = {
  success: ["check-circle", "ok"],
  skipped: ["check", "muted"],
  pending: ["clock", "warn"],
  warning: ["alert", "warn"],
  failure: ["stop", "danger"],
  error: ["stop", "danger"],
};

/** What checks say of a commit, with links to where they say more. */
export function CheckList({ checks }: { checks: ShownChecks }) {
  const t = useWords(mergingWords);
  const { missing, statuses } = checks;
  if (statuses.length + missing.length === 0) return null;
  return (
    <ul class="check-list" aria-label={t("checks")}>
      {statuses.map((check) => {
        const [icon, tone] = looks[check.state];
        return (
          <li>
            <span class={`check-${tone}`}>
              <Icon name={icon} label={t(`check-${check.state}`)} />
            </span>
            <span class="grow">
              {check.href ? <a href={check.href}>{check.context}</a> : <span>{check.context}</span>}{" "}
              <span class="muted">{check.description}</span>
            </span>
            {check.isRequired ? <Badge>{t("required")}</Badge> : null}
          </li>
        );
      })}
      {missing.map((pattern) => (
        <li>
          <span class="check-warn">
            <Icon name="clock" label={t("check-pending")} />
          </span>
          <span class="grow">
            <code>{pattern}</code> <span class="muted">{t("notReported")}</span>
          </span>
          <Badge>{t("required")}</Badge>
        </li>
      ))}
    </ul>
  );
}
