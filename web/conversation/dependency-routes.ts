import type { Route } from "../../src/http/route.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Form } from "../form-data.ts";
import { changesItems } from "./access.ts";
import { change } from "./item-routes.tsx";
import type { Conversations } from "./routes.tsx";

const at = "/:owner/:repo/issues/:index/dependency";

/**
 * An item's dependencies, from the forms beside it; API-style clients name the other item by its id (contract web.md
 * 1.9).
 */
export function dependencyPages(of: Conversations): Route[] {
  const { dependencies, issues } = of.services;
  const changes = { surface: "page", method: "POST", access: changesItems } as const;
  const other = (item: SeenIssue, form: Form, idName: string): SeenIssue => {
    const id = form.number(idName);
    if (id === undefined) return dependencies.named(item, namedBy(item, form.text("dependency")));
    const [found] = issues.seeEach(item.seen.principal, [id]);
    if (!found) throw new NotFound();
    return found;
  };
  return [
    {
      ...changes,
      path: `${at}/add`,
      handle: (call) => change(of, call, (item, form) => dependencies.add(item, other(item, form, "newDependency"))),
    },
    {
      ...changes,
      path: `${at}/delete`,
      handle: (call) =>
        change(of, call, (item, form) => {
          const named = other(item, form, "removeDependencyID");
          if (form.text("dependencyType") === "blocking") dependencies.remove(named, item);
          else dependencies.remove(item, named);
        }),
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
