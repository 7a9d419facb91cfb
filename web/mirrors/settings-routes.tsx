import { atLeast } from "../../src/access/levels.ts";
import type { Call } from "../../src/http/route.ts";
import { durationText } from "../../src/kernel/duration.ts";
import { recordedFailure } from "../../src/remotes/recorded-failure.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type MirrorField, MirrorsPage } from "./settings.tsx";
import { mirrorsWords } from "./words/index.ts";

/** There are never more than this. */
const ALL = { limit: 100, offset: 0 };

const SERVICE_FIELDS: Readonly<Record<string, MirrorField>> = {
  mirror_interval: "mirror_interval",
  mirror_address: "mirror_address",
  lfs_endpoint: "mirror_lfs_endpoint",
  interval: "push_mirror_interval",
  remote_address: "push_mirror_address",
  branches: "push_mirror_branches",
};

interface Refused {
  readonly form: Form;
  readonly errors: FormErrors<MirrorField>;
}

export async function mirrorsPage(services: WebServices, call: Call, refused: Refused | undefined): Promise<Response> {
  const seen = seenRepo(call);
  const { config, pullMirrors, pushMirrors } = services;
  const pull = pullMirrors.of(seen.repo.id);
  const reason = (lastError: string) => {
    const failure = recordedFailure(lastError);
    return failure && refusalText(call, failure);
  };
  const values =
    refused && Object.fromEntries(fieldNames.map((name) => [name, refused.form.text(name).slice(0, 2048)]));
  const view = (
    <MirrorsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      form={{ ...(values ? { values } : {}), ...(refused ? { errors: refused.errors } : {}) }}
      pull={
        pull && {
          mirror: pull,
          failure: reason(pull.lastError),
          lfsEndpoint: pullMirrors.lfsEndpointOf(seen.repo.id),
        }
      }
      isOwner={atLeast(seen.access.level, "owner")}
      isOn={config["mirrors.enabled"]}
      mayAdd={config["mirrors.enabled"] && config["mirrors.new_push"] && !seen.repo.isArchived}
      push={
        config["mirrors.enabled"]
          ? pushMirrors.list(seen, ALL).items.map((mirror) => ({ mirror, failure: reason(mirror.lastError) }))
          : []
      }
      minInterval={durationText(config["mirrors.min_interval_minutes"] * 60_000)}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

const fieldNames = [
  "mirror_interval",
  "mirror_address",
  "mirror_username",
  "mirror_lfs_endpoint",
  "push_mirror_address",
  "push_mirror_username",
  "push_mirror_interval",
  "push_mirror_branches",
] as const satisfies readonly MirrorField[];

type Said = "saved" | "willSync" | "willPush" | "added" | "removed" | "converted";

/**
 * Handles the mirror forms, by their `action` (contract web.md 1.11).
 * @returns undefined when the action is not about mirrors
 */
export async function changeMirrors(services: WebServices, call: Call, form: Form): Promise<Response | undefined> {
  const action = ACTIONS[form.text("action")];
  if (!action) return undefined;
  const seen = seenRepo(call);
  const t = wordsFor(call, mirrorsWords);
  if (form.text("action") === "convert") {
    const name = `${seen.owner.login}/${seen.repo.name}`;
    if (![seen.repo.name, name].includes(form.text("repo_name")))
      return mirrorsPage(services, call, { form, errors: { form: t("convertUnconfirmed", { name }) } });
  }
  try {
    const said = await action(services, seen, form);
    const to = said === "converted" ? homeOf(seen) : homeOf(seen, "settings/mirrors");
    return redirectAfterPost(services, call, to, { kind: "success", text: t(said) });
  } catch (error) {
    return mirrorsPage(services, call, { form, errors: formErrors<MirrorField>(call, error, SERVICE_FIELDS) });
  }
}

type Action = (services: WebServices, seen: SeenRepo, form: Form) => Said | Promise<Said>;

const ACTIONS: Readonly<Record<string, Action>> = {
  mirror: ({ pullMirrors }, seen, form) => {
    const password = form.exact("mirror_password");
    pullMirrors.edit(seen, {
      interval: form.text("mirror_interval"),
      prunes: form.checked("mirror_prune"),
      hasWiki: form.checked("mirror_wiki"),
      hasLfs: form.checked("mirror_lfs"),
      // Forms without the field leave the value unchanged.
      ...(form.has("mirror_lfs_endpoint") ? { lfsEndpoint: form.text("mirror_lfs_endpoint") } : {}),
      address: form.text("mirror_address"),
      username: form.text("mirror_username"),
      ...(password === "" ? {} : { password }),
    });
    return "saved";
  },
  "mirror-sync": ({ pullMirrors }, seen) => {
    pullMirrors.request(seen);
    return "willSync";
  },
  convert: ({ pullMirrors }, seen) => {
    pullMirrors.convert(seen);
    return "converted";
  },
  "push-mirror-add": async ({ pushMirrors }, seen, form): Promise<Said> => {
    await pushMirrors.add(seen, {
      address: form.text("push_mirror_address"),
      username: form.text("push_mirror_username"),
      password: form.exact("push_mirror_password"),
      interval: form.text("push_mirror_interval"),
      syncOnCommit: form.checked("push_mirror_sync_on_commit"),
      branches: form.text("push_mirror_branches"),
    });
    return "added";
  },
  "push-mirror-update": ({ pushMirrors }, seen, form) => {
    pushMirrors.edit(seen, nameOf(form), { interval: form.text("push_mirror_interval") });
    return "saved";
  },
  "push-mirror-remove": ({ pushMirrors }, seen, form) => {
    pushMirrors.delete(seen, nameOf(form));
    return "removed";
  },
  "push-mirror-sync": ({ pushMirrors }, seen, form) => {
    pushMirrors.request(seen, nameOf(form));
    return "willPush";
  },
};

const nameOf = (form: Form): string => form.text("push_mirror_name");
