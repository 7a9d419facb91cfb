import type { Call, Route } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { mergeStyles, settingOf } from "../../src/pulls/merge/types.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { storedMergeSettings } from "../../src/repos/settings/defaults.ts";
import type { SettingsEdit } from "../../src/repos/settings/edit.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { PullSettingsPage, tickedSettings } from "./settings.tsx";
import { mergingWords } from "./words/index.ts";

/** A repository's pull request settings (contract pulls.md 9.1). */
export function pullSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersRepo, path: "/:owner/:repo/settings/pulls" } as const;
  return [
    { ...page, method: "GET", handle: (call) => settings(services, call) },
    { ...page, method: "POST", handle: (call) => save(services, call) },
  ];
}

async function settings(services: WebServices, call: Call, refused?: { form: Form; text: string }): Promise<Response> {
  const seen = seenRepo(call);
  const stored = storedMergeSettings(seen.repo.settings);
  const view = (
    <PullSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      isOn={refused ? refused.form.checked("has_pull_requests") : !seen.repo.settings.off?.includes("pulls")}
      settings={refused ? { ...stored, ...chosenIn(refused.form) } : stored}
      errors={refused && { form: refused.text }}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const pulls = form.checked("has_pull_requests");
  try {
    services.repos.edit(seen, { settings: { ...(pulls ? chosenIn(form) : {}), units: { pulls } } });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 422) throw error;
    return settings(services, call, { form, text: refusalText(call, error) });
  }
  const text = wordsFor(call, mergingWords)("settingsSaved");
  return redirectAfterPost(services, call, homeOf(seen, "settings/pulls"), { kind: "success", text, form: "pulls" });
}

function chosenIn(form: Form): Partial<Omit<SettingsEdit, "units">> {
  const names = [...Object.values(settingOf), ...tickedSettings];
  return {
    ...Object.fromEntries(names.map((name) => [name, form.checked(name)])),
    defaultMergeStyle: mergeStyles.find((style) => style === form.text("defaultMergeStyle")) ?? "merge",
    defaultUpdateStyle: form.text("defaultUpdateStyle") === "rebase" ? "rebase" : "merge",
  };
}
