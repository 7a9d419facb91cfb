import { Type } from "@sinclair/typebox";
import { maybeText, text, yesNo } from "../../http/fields.ts";
import { type Route, takes } from "../../http/route.ts";
import { Forbidden } from "../../kernel/errors.ts";
import { administersRepo } from "../access.ts";

const GitHookResource = Type.Object(
  {
    name: text("Name of the hook."),
    is_active: yesNo("Whether it is active."),
    content: maybeText("The content of the hook."),
  },
  { $id: "GitHook", description: "A git hook, which would run on a push." },
);

const EditGitHookBody = Type.Object(
  { content: maybeText("The content of the hook.") },
  { $id: "EditGitHookOption", description: "A git hook." },
);

/**
 * Git hooks are programs on the server's disk, and Hearth runs none: callers get a 403 instead of having hooks stored
 * that never run (contract repositories.md 19.2).
 */
export function gitHookRoutes(): Route[] {
  const all = { path: "/api/v1/repos/:owner/:repo/hooks/git", surface: "api", access: administersRepo } as const;
  const one = { ...all, path: `${all.path}/:id` } as const;
  const refused = { 403: { description: "This server runs no git hooks." } };
  const params = { id: "Name of the hook." };
  const refuse = (): never => {
    throw new Forbidden("repository.no-git-hooks");
  };
  const doc = (id: string, summary: string) => ({ id, tag: "repository", summary });
  return [
    {
      ...all,
      method: "GET",
      doc: {
        ...doc("repoListGitHooks", "List the Git hooks of a repository"),
        answers: { 200: { description: "The hooks.", schema: Type.Array(GitHookResource) }, ...refused },
      },
      handle: refuse,
    },
    {
      ...one,
      method: "GET",
      doc: {
        ...doc("repoGetGitHook", "Get a Git hook"),
        params,
        answers: { 200: { description: "The hook.", schema: GitHookResource }, ...refused },
      },
      handle: refuse,
    },
    {
      ...one,
      method: "PATCH",
      doc: {
        ...doc("repoEditGitHook", "Edit a Git hook"),
        params,
        answers: { 200: { description: "The hook.", schema: GitHookResource }, ...refused },
      },
      ...takes(EditGitHookBody, refuse),
    },
    {
      ...one,
      method: "DELETE",
      doc: {
        ...doc("repoDeleteGitHook", "Delete a Git hook"),
        params,
        answers: { 204: { description: "Removed." }, ...refused },
      },
      handle: refuse,
    },
  ];
}
