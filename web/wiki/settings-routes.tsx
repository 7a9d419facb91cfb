import { BRANCHES } from "../../src/git/refs/names.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { keepsWiki } from "../../src/repos/settings/defaults.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { WikiSettingsPage, wikiPlaces } from "./settings.tsx";
import { wikiWords } from "./words/index.ts";

const MAX_BRANCHES = 100;

/** Where a repository's wiki is, and who may edit it. */
export function wikiSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", path: "/:owner/:repo/settings/wiki", access: administersRepo } as const;
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
  const place = keepsWiki(stored) ? "here" : stored.off?.includes("wiki") ? "off" : "elsewhere";
  const folder = services.folders.find(seen.repo.id, "wiki");
  const paging = { page: 1, limit: MAX_BRANCHES, offset: 0 };
  const branches = folder ? services.refs.page(folder.id, BRANCHES, "", paging).items : [];
  const names = { "external_wiki.external_wiki_url": "wiki_url" } as const;
  const view = (
    <WikiSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      place={refused ? placeIn(refused.form) : place}
      isForEveryone={refused ? refused.form.checked("for_everyone") : stored.wikiForEveryone === true}
      branches={branches.map(({ name }) => name.slice(BRANCHES.length))}
      branch={folder?.defaultBranch}
      form={{
        values: { wiki_url: refused ? refused.form.text("wiki_url").slice(0, 3000) : (stored.externalWiki?.url ?? "") },
        ...(refused ? { errors: formErrors<"wiki_url">(call, refused.error, names) } : {}),
      }}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const seen = seenRepo(call);
  const place = placeIn(form);
  try {
    services.repos.edit(seen, {
      settings: {
        units: { wiki: place !== "off" },
        wikiForEveryone: form.checked("for_everyone"),
        ...(place === "elsewhere" ? { externalWiki: { url: form.text("wiki_url") } } : {}),
      },
      ...(form.text("wiki_branch") === "" ? {} : { wikiBranch: form.text("wiki_branch") }),
    });
  } catch (error) {
    return settings(services, call, { form, error });
  }
  const text = wordsFor(call, wikiWords)("settingsSaved");
  return redirectAfterPost(services, call, homeOf(seen, "settings/wiki"), { kind: "success", text, form: "wiki" });
}

function placeIn(form: Form) {
  return wikiPlaces.find((place) => place === form.text("wiki")) ?? "here";
}

/** Deletes the whole wiki of a repository, after its name was typed. @throws NotFound, Forbidden, Locked */
export async function deleteWiki(
  services: WebServices,
  call: Call,
  form: Form,
  refuse: (error: string) => Promise<Response>,
): Promise<Response> {
  const seen = seenRepo(call);
  const t = wordsFor(call, wikiWords);
  const name = `${seen.owner.login}/${seen.repo.name}`;
  if (![seen.repo.name, name].includes(form.text("repo_name"))) return refuse(t("deleteWikiUnconfirmed", { name }));
  services.wikiEdits.remove(seen);
  return redirectAfterPost(services, call, homeOf(seen, "settings"), { kind: "success", text: t("wikiDeleted") });
}
