import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebArea, WebServices } from "../area.ts";
import type { RepoAction } from "../layout/contributions.ts";
import { repoHref } from "../links.ts";
import { generationWords } from "./words/index.ts";

/** On a template: links to the form that creates a repository from it. */
function useTemplate(_: WebServices, { access, owner, principal, repo }: SeenRepo): RepoAction | undefined {
  if (!repo.isTemplate || !principal.user || access.on("code") === "none") return undefined;
  return {
    id: "generate",
    label: generationWords.label("use"),
    icon: "repo-template",
    href: repoHref({ owner: owner.login, name: repo.name }, "generate"),
    count: 0,
  };
}

export const generationArea: WebArea = {
  name: "generation",
  routes: async () => (await import("./routes.tsx")).generationPages,
  repoActions: [{ id: "generate", order: 3, of: useTemplate }],
};
