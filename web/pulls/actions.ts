import type { Call, Route } from "../../src/http/route.ts";
import { Failure, ValidationFailed } from "../../src/kernel/errors.ts";
import { changesPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import { type MergeRequest, mergeStyles } from "../../src/pulls/merge/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { draftTitle } from "../../src/pulls/values.ts";
import type { WebServices } from "../area.ts";
import { sent } from "../conversation/sent.ts";
import { type Form, lacksRight, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { mergingWords } from "../merging/words/index.ts";
import { redirectAfterPost } from "../visit.ts";
import { pullHref } from "./shown.ts";
import { pullWords } from "./words/index.ts";

/** The outcome of a form as a message, and where to see it; undefined: the page shows it. */
type Said = string | { readonly text: string; readonly to: string } | undefined;

interface ActionPlace {
  /** The page to return to, relative to the pull request's URL. */
  readonly back?: (form: Form) => string;
  /** Scripts made for other forges use the singular for this one. */
  readonly at?: "pull" | "pulls";
}

/** Declares form handlers of pull request pages, by the rest of their URL. */
export function actionsOf(services: WebServices) {
  return (
    name: string,
    act: (item: SeenPull, form: Form, call: Call) => Promise<Said> | Said,
    { at = "pulls", back = () => "" }: ActionPlace = {},
  ): Route => ({
    method: "POST",
    surface: "page",
    access: changesPulls,
    path: `/:owner/:repo/${at}/:index/${name}`,
    handle: async (call) => {
      const item = seenPull(call, services.pulls);
      const form = await readForm(call);
      const to = pullHref(item) + back(form);
      try {
        const said = await act(item, form, call);
        if (said === undefined) return redirectAfterPost(services, call, to);
        const { text, to: seenAt } = typeof said === "string" ? { text: said, to } : said;
        return redirectAfterPost(services, call, seenAt, { kind: "success", text });
      } catch (error) {
        const isRefusal = error instanceof Failure && error.status < 500 && error.code !== "not-found";
        if (!isRefusal || lacksRight(error)) throw error;
        return redirectAfterPost(services, call, to, { kind: "error", text: refusalText(call, error) });
      }
    },
  });
}

/** The form handlers of a pull request's pages (contract pulls.md 22.4). */
export function pullActions(services: WebServices): Route[] {
  const { branchRemoval, branchUpdates, itemForms, mergeMessages, mergeQueue, mergeSchedule } = services;
  const { pullEditing, pullMerges, pulls } = services;
  const action = actionsOf(services);
  const words = (call: Call) => wordsFor(call, pullWords);
  /** A message prefilled for one merge method and left unchanged must not be used for another. */
  const asked = async (item: SeenPull, form: Form): Promise<MergeRequest> => {
    const named = form.text("do");
    const style = mergeStyles.find((known) => known === named) ?? "merge";
    if (named !== "" && named !== style) throw new ValidationFailed("pull.unknown-style", { field: "do" });
    const filled = mergeStyles.find((known) => known === form.text("prefilled"));
    const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();
    let [title, message] = [form.text("merge_title_field"), plain(form.exact("merge_message_field"))];
    if (filled !== undefined && filled !== style) {
      const usual = await mergeMessages.of(item, filled);
      if (usual.title === title && plain(usual.body) === message)
        ({ title, body: message } = await mergeMessages.of(item, style));
    }
    return {
      style,
      title,
      message,
      commitId: "",
      headCommitId: form.text("head_commit_id"),
      isForced: false,
      isScheduled: false,
      deletesBranch: form.checked("delete_branch_after_merge"),
    };
  };
  const retarget = async (item: SeenPull, form: Form) => {
    await pullEditing.edit(item, { base: form.text("target_branch") });
    return undefined;
  };
  return [
    action("merge", async (item, form, call) => {
      const result = await pullMerges.merge(item, {
        ...(await asked(item, form)),
        commitId: form.text("merge_commit_id"),
        isForced: form.checked("force_merge"),
        isScheduled: form.checked("merge_when_checks_succeed") && !form.checked("force_merge"),
        replacesSchedule: true,
      });
      return words(call)(result === "merged" ? "hasBeenMerged" : "willMerge");
    }),
    action("queue", async (item, form, call) => {
      await mergeQueue.add(item, await asked(item, form));
      return wordsFor(call, mergingWords)("hasQueued");
    }),
    action("unqueue", (item, _form, call) => {
      mergeQueue.remove(item);
      return wordsFor(call, mergingWords)("hasUnqueued");
    }),
    action("cancel_auto_merge", (item) => {
      mergeSchedule.cancel(item);
      return undefined;
    }),
    action("update", async (item, form, call) => {
      const style = call.query.get("style") ?? form.text("style");
      await branchUpdates.update(item, style === "rebase" ? "rebase" : "merge");
      return words(call)("didUpdate");
    }),
    action("cleanup", async (item, _form, call) => {
      return (await branchRemoval.afterMerge(item)) ? words(call)("branchGone") : undefined;
    }),
    action("restore_branch", async (item, _form, call) => {
      await branchRemoval.restore(item);
      return words(call)("branchRestored");
    }),
    action("target_branch", retarget),
    action("target_branch", retarget, { at: "pull" }),
    action("set_allow_maintainer_edit", async (item, form) => {
      await pullEditing.edit(item, { allowsMaintainerEdit: form.checked("allow_maintainer_edit") });
      return undefined;
    }),
    action("draft", async (item, form) => {
      await pullEditing.edit(item, { title: draftTitle(item.issue.title, form.checked("draft")) });
      return undefined;
    }),
    action("comments", async (item, form) => {
      const [text, files] = [form.exact("content"), sent(form, "files")];
      if (text.trim() !== "" || files.length > 0) itemForms.say(item, { text, files, isClosed: undefined });
      const status = form.text("status");
      if (status === "close" || status === "reopen")
        await pullEditing.edit(pulls.refreshed(item), { state: status === "close" ? "closed" : "open" });
      return undefined;
    }),
  ];
}
