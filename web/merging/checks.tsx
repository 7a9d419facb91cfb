import { isHttpUrl } from "../../src/kernel/web-address.ts";
import type { CommitStatus, StatusState } from "../../src/statuses/types.ts";
import type { IconName } from "../components/icon.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { localPath } from "../redirect-target.ts";
import { mergingWords } from "./words/index.ts";

/** The latest status of a check. */
export interface ShownCheck {
  readonly context: string;
  readonly state: StatusState;
  readonly description: string;
  /** undefined: it has no link, or none that is safe to follow. */
  readonly href: string | undefined;
  readonly isRequired: boolean;
}

export interface ShownChecks {
  readonly statuses: readonly ShownCheck[];
  /** Required patterns without a status. */
  readonly missing: readonly string[];
}

const looks: Readonly<Record<StatusState, readonly [IconName, Tone]>> = {
  success: ["check-circle", "ok"],
  skipped: ["check", "plain"],
  pending: ["clock", "warn"],
  warning: ["alert", "warn"],
  failure: ["stop", "danger"],
  error: ["stop", "danger"],
};

/** The details of a check: on another server, or a path of this one. Anything else is not a link. */
const statusHref = (targetUrl: string): string | undefined => (isHttpUrl(targetUrl) ? targetUrl : localPath(targetUrl));

/** Commit statuses when no check is required. */
export function shownChecks(statuses: readonly CommitStatus[]): ShownChecks {
  return { missing: [], statuses: statuses.map((status) => shownCheck(status, false)) };
}

export function shownCheck({ context, description, state, targetUrl }: CommitStatus, isRequired: boolean): ShownCheck {
  return { context, state, description, href: statusHref(targetUrl), isRequired };
}

/** The checks of a commit, with links to their details. */
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
            <Badge icon={icon} tone={tone}>
              {t(`check-${check.state}`)}
            </Badge>
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
          <Badge icon="clock" tone="warn">
            {t("check-pending")}
          </Badge>
          <span class="grow">
            <code>{pattern}</code> <span class="muted">{t("notReported")}</span>
          </span>
          <Badge>{t("required")}</Badge>
        </li>
      ))}
    </ul>
  );
}
