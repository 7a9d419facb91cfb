import type { Access, Call, Route } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { localPath } from "../redirect-target.ts";
import { redirectAfterPost } from "../visit.ts";
import { ownLists } from "./access.ts";

const signedInReader: Access = {
  who: "user",
  subject: { kind: "repository", level: "read" },
  scopes: [],
  publicOnly: "filtered",
};

/** Saves searches under names, and deletes them. */
export function savedSearchRoutes(services: WebServices): Route[] {
  const page = { surface: "page", method: "POST" } as const;
  return ([false, true] as const).flatMap((isPull) => {
    const name = isPull ? "pulls" : "issues";
    return [
      {
        ...page,
        access: signedInReader,
        path: `/:owner/:repo/${name}/searches`,
        handle: (call: Call) => save(services, call, isPull, seenRepo(call)),
      },
      {
        ...page,
        access: signedInReader,
        path: `/:owner/:repo/${name}/searches/delete`,
        handle: (call: Call) => remove(services, call),
      },
      {
        ...page,
        access: ownLists,
        path: `/${name}/searches`,
        handle: (call: Call) => save(services, call, isPull, undefined),
      },
      { ...page, access: ownLists, path: `/${name}/searches/delete`, handle: (call: Call) => remove(services, call) },
    ];
  });
}

async function save(services: WebServices, call: Call, isPull: boolean, seen: SeenRepo | undefined): Promise<Response> {
  const form = await readForm(call);
  const back = localPath(form.text("redirect_to")) ?? "/issues";
  try {
    const given = { name: form.text("name"), query: form.text("query") };
    services.savedSearches.save(call.principal, { repoId: seen?.repo.id, isPull }, given);
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, back);
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  services.savedSearches.remove(call.principal, form.number("id") ?? 0);
  return redirectAfterPost(services, call, localPath(form.text("redirect_to")) ?? "/issues");
}
