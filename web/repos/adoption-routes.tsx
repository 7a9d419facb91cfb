import { administersBackground } from "../../src/admin/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { AdoptionPage } from "./adoption.tsx";
import { reposWords } from "./words/index.ts";

const PER_PAGE = 50;
const PAGE = "/-/admin/repos/unadopted";

/** Git directories on disk that can be adopted as repositories (contract web.md 1.12). */
export function adoptionPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersBackground, path: PAGE } as const;
  return [
    { ...page, method: "GET", handle: (call) => list(services, call) },
    { ...page, method: "POST", handle: (call) => change(services, call) },
  ];
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const { adoption } = services;
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = await adoption.list(call.principal, "", slice);
  return show(
    call,
    <AdoptionPage
      shell={shellOf(services, call)}
      names={items.map(({ owner, name }) => `${owner}/${name}`)}
      folder={`${adoption.root}/owner/name.git`}
      action={PAGE}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: PAGE }}
    />,
  );
}

async function change(services: WebServices, call: Call): Promise<Response> {
  const { adoption } = services;
  const form = await readForm(call);
  const [owner = "", name = ""] = form.text("id").slice(0, 300).split("/");
  const t = wordsFor(call, reposWords);
  try {
    if (form.text("action") === "delete") {
      await adoption.remove(call.principal, owner, name);
      return redirectAfterPost(services, call, PAGE, { kind: "success", text: t("folderDeleted") });
    }
    const repo = await adoption.adopt(call.principal, owner, name);
    return redirectAfterPost(services, call, repoHref({ owner, name: repo.name }), {
      kind: "success",
      text: t("adopted"),
    });
  } catch (error) {
    return redirectAfterPost(services, call, PAGE, { kind: "error", text: refusalOf(call, error) });
  }
}
