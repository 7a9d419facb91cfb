import { Type } from "@sinclair/typebox";
import { readCode } from "../content/access.ts";
import { json } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import {
  IssueConfigResource,
  IssueConfigValidationResource,
  IssueTemplateResource,
  issueConfigResource,
  issueTemplateResource,
} from "./resource.ts";

const repo = "/api/v1/repos/:owner/:repo";

/** Templates of issues over REST (contract issues.md 16.1). */
export function issueTemplateRoutes({ issueTemplates }: Services): Route[] {
  const reads = { method: "GET", surface: "api", access: readCode } as const;
  return [
    {
      ...reads,
      path: `${repo}/issue_templates`,
      doc: {
        id: "repoGetIssueTemplates",
        tag: "repository",
        summary: "List the issue templates of a repository",
        answers: {
          200: {
            description: "The templates on the default branch; the header `X-Gitea-Warning` counts invalid files.",
            schema: Type.Array(IssueTemplateResource),
          },
        },
      },
      handle: async (call) => {
        const { problems, templates } = await issueTemplates.read(seenRepo(call));
        if (problems.length > 0)
          call.header("x-gitea-warning", `error occurs when parsing issue template: count=${problems.length}`);
        return json(templates.map(issueTemplateResource));
      },
    },
    {
      ...reads,
      path: `${repo}/issue_config`,
      doc: {
        id: "repoGetIssueConfig",
        tag: "repository",
        summary: "Get the issue configuration of a repository",
        answers: {
          200: {
            description: "The configuration, with defaults where it is missing or invalid.",
            schema: IssueConfigResource,
          },
        },
      },
      handle: async (call) => json(issueConfigResource((await issueTemplates.read(seenRepo(call))).config)),
    },
    {
      ...reads,
      path: `${repo}/issue_config/validate`,
      doc: {
        id: "repoValidateIssueConfig",
        tag: "repository",
        summary: "Validate the issue configuration of a repository",
        answers: { 200: { description: "Whether it is valid.", schema: IssueConfigValidationResource } },
      },
      handle: async (call) => {
        const { configProblem } = await issueTemplates.read(seenRepo(call));
        return json({ valid: configProblem === "", message: configProblem });
      },
    },
  ];
}
