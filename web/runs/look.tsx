import { Status, statusName } from "../../src/actions/runs/statuses.ts";
import type { IconName } from "../components/icon.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { runsWords } from "./words/index.ts";

const looks: Readonly<Record<Status, readonly [IconName, Tone]>> = {
  [Status.unknown]: ["info", "plain"],
  [Status.success]: ["check-circle", "ok"],
  [Status.failure]: ["stop", "danger"],
  [Status.cancelled]: ["blocked", "plain"],
  [Status.skipped]: ["check", "plain"],
  [Status.waiting]: ["clock", "plain"],
  [Status.running]: ["play", "warn"],
  [Status.blocked]: ["lock", "plain"],
  [Status.cancelling]: ["clock", "plain"],
};

export const iconOf = (status: Status): IconName => looks[status][0];

/** Its key in the catalogue. */
export const statusWord = (status: Status) => `status-${statusName(status)}` as const;

/** A status as a word with its icon. */
export function StatusBadge({ status }: { status: Status }) {
  const t = useWords(runsWords);
  const [icon, tone] = looks[status];
  return (
    <Badge icon={icon} tone={tone}>
      {t(statusWord(status))}
    </Badge>
  );
}

/** A status as an icon alone, labelled with the word. */
export function StatusMark({ status }: { status: Status }) {
  const t = useWords(runsWords);
  const [icon, tone] = looks[status];
  return (
    <span
      class={`run-mark i i-${icon} run-${tone}`}
      role="img"
      aria-label={t(statusWord(status))}
      title={t(statusWord(status))}
    />
  );
}
