import type { User } from "../../src/access/user.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoTeams } from "../organizations/repo-team-routes.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type AccessMode, CollaboratorsPage } from "./collaborators.tsx";
import { homeOf, repoFrame } from "./frame.ts";
import { reposWords } from "./words/index.ts";

/** One page lists them all; a home server does not have thousands. */
const MAX_SHOWN = 500;
/** The numbers in the form (contract web.md 1.11). */
const MODES: Readonly<Record<string, AccessMode>> = { "1": "read", "2": "write", "3": "admin" };
const PAGE = "settings/collaboration";

/** Manages collaborators of a repository. */
export function collaboratorPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersRepo } as const;
  const path = `/:owner/:repo/${PAGE}`;
  return [
    { ...page, method: "GET", path, handle: (call) => list(services, call, undefined) },
    { ...page, method: "POST", path, handle: (call) => add(services, call) },
    { ...page, method: "POST", path: `${path}/access_mode`, handle: (call) => setMode(services, call) },
    { ...page, method: "POST", path: `${path}/delete`, handle: (call) => remove(services, call) },
  ];
}

async function list(
  services: WebServices,
  call: Call,
  refused: { name: string; error: string; mode?: AccessMode } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const { items } = services.collaborators.list(seen, { page: 1, limit: MAX_SHOWN, offset: 0 });
  const view = (
    <CollaboratorsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      collaborators={items.flatMap(({ user, level }) =>
        level === "read" || level === "write" || level === "admin"
          ? [{ id: user.id, person: personOf(user), mode: level }]
          : [],
      )}
      teams={repoTeams(services, seen)}
      form={
        refused
          ? {
              values: { collaborator: refused.name, mode: refused.mode ?? "write" },
              errors: { collaborator: refused.error },
            }
          : {}
      }
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function add(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const name = form.text("collaborator").slice(0, 255);
  const mode = modeOf(form) ?? "write";
  const user = services.identity.byLogin(name);
  const t = wordsFor(call, reposWords);
  // Users who may not see an account must not learn that it exists.
  if (!user || !services.identity.sees(call.principal, user))
    return list(services, call, { name, mode, error: t("noSuchAccount") });
  if (services.collaborators.isCollaborator(seen, user))
    return list(services, call, { name, mode, error: t("alreadyCollaborator", { name: user.login }) });
  const refusal = put(services, call, user, mode);
  if (refusal !== undefined) return list(services, call, { name, mode, error: refusal });
  return redirectAfterPost(services, call, homeOf(seen, PAGE), {
    kind: "success",
    text: t("collaboratorAdded", { name: user.login }),
  });
}

/** Grants the level; returns the reason if that is refused. */
function put(services: WebServices, call: Call, user: User, level: AccessMode): string | undefined {
  try {
    services.collaborators.put(seenRepo(call), user, level);
    return undefined;
  } catch (error) {
    return refusalOf(call, error);
  }
}

async function setMode(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const user = collaborator(services, seen, form, "uid");
  const level = modeOf(form);
  if (!level) throw new NotFound();
  const refusal = put(services, call, user, level);
  if (refusal !== undefined) return list(services, call, { name: "", error: refusal });
  return redirectAfterPost(services, call, homeOf(seen, PAGE), {
    kind: "success",
    text: wordsFor(call, reposWords)("accessChanged", { name: user.login }),
  });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const user = collaborator(services, seen, await readForm(call), "id");
  services.collaborators.remove(seen, user);
  return redirectAfterPost(services, call, homeOf(seen, PAGE), {
    kind: "success",
    text: wordsFor(call, reposWords)("collaboratorRemoved", { name: user.login }),
  });
}

/** The access level in a form, if valid. */
function modeOf(form: Form): AccessMode | undefined {
  const mode = form.text("mode");
  return Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
}

/** The collaborator with that id, looked up among those of this repository. */
function collaborator(services: WebServices, seen: SeenRepo, form: Form, field: string): User {
  const user = services.identity.byId(form.number(field) ?? 0);
  if (!user || !services.collaborators.isCollaborator(seen, user)) throw new NotFound();
  return user;
}
