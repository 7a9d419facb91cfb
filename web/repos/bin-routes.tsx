import { administersAccounts } from "../../src/admin/access.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import type { BinnedRepo } from "../../src/repos/bin/service.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type BinItem, BinPage, type BinProps } from "./bin.tsx";
import { reposWords } from "./words/index.ts";

const PER_PAGE = 20;
const ADDRESS = { settings: "/user/settings/repos/deleted", admin: "/-/admin/repos/deleted" } as const;

/** Deleted repositories: of the user and their organizations, and all of them for site administrators. */
export function binPages(services: WebServices): Route[] {
  const of = (place: BinProps["place"], access: Route["access"]): Route[] => [
    { method: "GET", surface: "page", access, path: ADDRESS[place], handle: (call) => list(services, call, place) },
    { method: "POST", surface: "page", access, path: ADDRESS[place], handle: (call) => change(services, call, place) },
  ];
  return [...of("settings", ownAccount), ...of("admin", administersAccounts)];
}

function list(services: WebServices, call: Call, place: BinProps["place"]): Response {
  const { bin, config, organizations } = services;
  const slice = pageOf(call, PER_PAGE);
  const user = signedIn(call);
  const owners = place === "admin" ? undefined : [user, ...organizations.membershipsOf(user)];
  const { items, total } = bin.list(call.principal, owners, slice);
  return show(
    call,
    <BinPage
      shell={shellOf(services, call)}
      place={place}
      action={ADDRESS[place]}
      items={items.map(itemOf)}
      days={config["repository.bin_days"]}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: ADDRESS[place] }}
    />,
  );
}

function itemOf({ owner, deletedBy, ...item }: BinnedRepo): BinItem {
  return { ...item, owner: owner.login, ...(deletedBy ? { deletedBy: personOf(deletedBy) } : {}) };
}

/** Restores a repository and redirects to it, or deletes it permanently. */
async function change(services: WebServices, call: Call, place: BinProps["place"]): Promise<Response> {
  const { bin, identity } = services;
  const form = await readForm(call);
  const id = form.number("id") ?? 0;
  const t = wordsFor(call, reposWords);
  try {
    if (form.text("action") === "purge") {
      bin.purge(call.principal, id);
      return redirectAfterPost(services, call, ADDRESS[place], { kind: "success", text: t("purged") });
    }
    const repo = bin.restore(call.principal, id, form.text("repo_name").slice(0, 200));
    const owner = identity.byId(repo.ownerId);
    const href = owner ? repoHref({ owner: owner.login, name: repo.name }) : ADDRESS[place];
    return redirectAfterPost(services, call, href, { kind: "success", text: t("restored") });
  } catch (error) {
    return redirectAfterPost(services, call, ADDRESS[place], { kind: "error", text: refusalOf(call, error) });
  }
}
