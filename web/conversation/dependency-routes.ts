import type { Route } from "../../src/http/route.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { changesItems } from "./access.ts";
import { change } from "./item-routes.tsx";
import type { Conversations } from "./routes.tsx";

const at = "/:owner/:repo/issues/:index/dependency";

/** What an item waits for, by the forms beside it. */
export function dependencyPages(of: Conversations): Route[] {
  const { dependencies } = of.services;
  const changes = { surface: "page", method: "POST", access: changesItems } as const;
  return [
    {
      ...changes,
      path: `${at}/add`,
      handle: (call) =>
        change(of, call, (item, form) =>
          dependencies.add(item, dependencies.named(item, namedBy(item, form.text("dependency")))),
        ),
    },
    {
      ...changes,
      path: `${at}/delete`,
      handle: (call) =>
        change(of, call, (item, form) =>
          dependencies.remove(item, dependencies.named(item, namedBy(item, form.text("dependency")))),
        ),
    },
  ];
}

/** `12`, `#12`, `owner/name#12`. @throws NotFound */
function namedBy({ seen }: SeenIssue, text: string) {
  const [, owner = seen.owner.login, repo = seen.repo.name, number] =
    /^(?:([^/\s#]{1,60})\/([^/\s#]{1,100}))?[#!]?(\d{1,9})$/.exec(text) ?? [];
  if (number === undefined) throw new NotFound();
  return { owner, repo, number: Number(number) };
}
