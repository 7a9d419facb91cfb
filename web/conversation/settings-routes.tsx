import type { Call, Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { trackerSettings } from "../../src/repos/settings/defaults.ts";
import type { SettingsEdit } from "../../src/repos/settings/edit.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { IssueSettingsPage, type TrackerField, trackerStyles, trackers } from "./settings-page.tsx";
import { conversationWords } from "./words/index.ts";

const path = "/:owner/:repo/settings/issues";

/** A repository's issue settings (contract issues.md 22). */
export function issueSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", path, access: administersRepo } as const;
  return [
    { ...page, method: "GET", handle: (call) => settings(services, call, undefined) },
    { ...page, method: "POST", handle: (call) => save(services, call) },
  ];
}

/** @param refused the typed values, and why they were refused */
async function settings(
  services: WebServices,
  call: Call,
  refused: { readonly form: Form; readonly error: unknown } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const { settings: stored } = seen.repo;
  const edit = refused ? editIn(refused.form) : undefined;
  const external = edit?.externalTracker ?? stored.externalTracker;
  const isOn = edit ? edit.units?.issues !== false : !stored.off?.includes("issues");
  const errors = refused
    ? formErrors<TrackerField>(call, refused.error, {
        "external_tracker.external_tracker_url": "tracker_url",
        "external_tracker.external_tracker_format": "tracker_format",
      })
    : undefined;
  const view = (
    <IssueSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      tracker={isOn ? (external ? "elsewhere" : "here") : "off"}
      internal={edit?.internalTracker ?? trackerSettings(stored)}
      closesFromAnyBranch={edit?.closesFromAnyBranch ?? stored.closesFromAnyBranch === true}
      style={external?.style || "numeric"}
      form={{
        values: {
          tracker_url: external?.url ?? "",
          tracker_format: external?.format ?? "",
          tracker_pattern: external?.regexpPattern ?? "",
        },
        ...(errors ? { errors } : {}),
      }}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const seen = seenRepo(call);
  try {
    services.repos.edit(seen, { settings: editIn(form) });
  } catch (error) {
    return settings(services, call, { form, error });
  }
  const text = wordsFor(call, conversationWords)("issuesSaved");
  return redirectAfterPost(services, call, homeOf(seen, "settings/issues"), { kind: "success", text, form: "issues" });
}

function editIn(form: Form) {
  const tracker = trackers.find((each) => each === form.text("tracker")) ?? "here";
  return {
    units: { issues: tracker !== "off" },
    closesFromAnyBranch: form.checked("close_from_any_branch"),
    internalTracker: {
      enableTimeTracker: form.checked("time_tracker"),
      allowOnlyContributorsToTrackTime: form.checked("only_contributors"),
      enableIssueDependencies: form.checked("dependencies"),
    },
    ...(tracker === "elsewhere"
      ? {
          externalTracker: {
            url: form.text("tracker_url"),
            format: form.text("tracker_format"),
            style: trackerStyles.find((style) => style === form.text("tracker_style")) ?? "numeric",
            regexpPattern: form.text("tracker_pattern").slice(0, 1024),
          },
        }
      : {}),
  } satisfies SettingsEdit;
}
