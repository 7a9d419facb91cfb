import { Type } from "@sinclair/typebox";
import { whole } from "../../http/fields.ts";
import { asks, textParam, type ValuesOf } from "../../http/query.ts";
import { json } from "../../http/respond.ts";
import type { Call, Route } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { readCode } from "../access.ts";
import { describeCommits, partsBesideStat } from "../commits/describe.ts";
import { CommitResource } from "../commits/resource.ts";
import { comparisonPatch } from "./patch.ts";

export const CompareResource = Type.Object(
  {
    total_commits: whole("The number of commits that only the head has."),
    commits: Type.Array(CommitResource, { description: "Those commits, newest first; at most 250." }),
  },
  { $id: "Compare", description: "The commits that one revision has and another does not." },
);

const comparing = { output: textParam("diff or patch for the change as text."), ...partsBesideStat };

/** Comparing two revisions (contract git-content.md 7.5). */
export function compareRoutes(services: Services): Route[] {
  const { commits, compare } = services;
  const answer = async (call: Call, asked: ValuesOf<typeof comparing>): Promise<Response> => {
    const found = await compare.compare(seenRepo(call), call.params["*"] ?? "");
    if (asked.output === "diff" || asked.output === "patch") return comparisonPatch(services, found, asked.output);
    const { seen } = found.head;
    const wanted = { ...asked, stat: true };
    const shown = await describeCommits(services, seen, commits.readAll(seen, found.commits), wanted);
    return json({ total_commits: found.total, commits: shown });
  };
  return [
    {
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/compare/*",
      surface: "api",
      access: readCode,
      doc: {
        id: "repoCompareDiff",
        tag: "repository",
        summary: "Compare two revisions",
        params: {
          path: "base...head, base..head, or just a head; each may be prefixed with owner: or owner/repo: of a fork.",
        },
        answers: {
          200: { description: "The commits.", schema: CompareResource },
          400: { description: "The format of the range is not supported." },
          404: { description: "There is no such revision." },
        },
      },
      ...asks(comparing, answer),
    },
  ];
}
