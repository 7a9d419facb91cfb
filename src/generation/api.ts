import { type Static, Type } from "@sinclair/typebox";
import { forksRepo } from "../forks/access.ts";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { created, json } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { ownerNamed } from "./owner.ts";
import { TEMPLATE_ITEMS } from "./service.ts";

const GenerateBody = Type.Object(
  {
    owner: maybeText("Name of the owner of the new repository; required."),
    name: Type.String({ description: "Name of the repository." }),
    default_branch: maybeText("Its default branch; the template's by default.", 255),
    description: maybeText("Short description.", 2048),
    private: maybeYesNo("Whether it is private."),
    git_content: maybeYesNo("Copy the files of the template's default branch, as one commit."),
    topics: maybeYesNo("Copy the topics."),
    git_hooks: maybeYesNo("Copy the git hooks."),
    webhooks: maybeYesNo("Copy the webhooks."),
    avatar: maybeYesNo("Copy the picture."),
    labels: maybeYesNo("Copy the labels."),
    protected_branch: maybeYesNo("Copy the branch protection rules."),
  },
  { $id: "GenerateRepoOption", description: "What to create from a template." },
);

/** Repositories from templates over REST (contract repositories.md 6). */
export function generationRoutes(services: Services): Route[] {
  const { generation, repos } = services;

  const generate = async (call: Call, body: Static<typeof GenerateBody>): Promise<Response> => {
    const chosen = {
      files: body.git_content ?? false,
      items: TEMPLATE_ITEMS.filter((item) => body[item]),
    };
    generation.checkChoice(seenRepo(call), chosen);
    const owner = ownerNamed(services, call.principal, body.owner ?? "");
    const repo = await generation.generate(seenRepo(call), {
      ...chosen,
      owner,
      name: body.name,
      description: body.description ?? "",
      isPrivate: body.private ?? false,
      defaultBranch: body.default_branch ?? "",
    });
    const access = repos.accessOf(call.principal, repo, owner);
    return created(repoResources(services, [{ principal: call.principal, repo, owner, access }])[0]);
  };

  return [
    {
      method: "POST",
      path: "/api/v1/repos/:owner/:repo/generate",
      surface: "api",
      access: forksRepo,
      doc: {
        id: "generateRepo",
        tag: "repository",
        summary: "Create a repository from a template",
        answers: {
          201: { description: "The repository.", schema: RepoResource },
          403: { description: "The caller may not create repositories there." },
          404: { description: "There is no such template or owner, or the caller may not see it." },
          409: { description: "The name is taken." },
          422: {
            description: "The repository is not a template, nothing was selected to copy, or a value is invalid.",
          },
        },
      },
      ...takes(GenerateBody, async (call, body) => {
        try {
          return await generate(call, body);
        } catch (error) {
          // Clients recognize this response by its `error` (contract repositories.md 1).
          if (error instanceof NotFound && error.code === "generation.owner-missing")
            return json({ error: `request owner \`${body.owner ?? ""}\` does not exist` }, 404);
          throw error;
        }
      }),
    },
  ];
}
