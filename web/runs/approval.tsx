import { writesRuns } from "../../src/actions/access.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { mayUse } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { Notice } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { runsWords } from "./words/index.ts";

/** A note that workflows of a pull request wait for approval, with the button that approves them. */
export function approvalNote({ actionsRunHints }: WebServices, { issue, pull, seen }: SeenPull): Children | null {
  if (!mayUse(writesRuns, seen)) return null;
  const waiting = actionsRunHints.unapproved(seen, pull.headOid);
  if (waiting.length === 0) return null;
  return (
    <Approval
      count={waiting.length}
      action={homeOf(seen, "actions/approve-all-checks")}
      commit={pull.headOid}
      returnTo={homeOf(seen, `pulls/${issue.number}`)}
    />
  );
}

function Approval(props: { count: number; action: string; commit: string; returnTo: string }) {
  const t = useWords(runsWords);
  return (
    <Notice kind="warning">
      <p>
        <strong>{t("checksWait", { count: props.count })}</strong> {t("checksWaitHint")}
      </p>
      <form method="post" action={props.action}>
        <input type="hidden" name="commit_id" value={props.commit} />
        <input type="hidden" name="redirect_to" value={props.returnTo} />
        <SubmitButton small>{t("approveAll")}</SubmitButton>
      </form>
    </Notice>
  );
}
