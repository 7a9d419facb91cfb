import { Type } from "@sinclair/typebox";
import { whole } from "../../http/fields.ts";
import { text } from "../../http/query.ts";
import { json } from "../../http/respond.ts";
import type { Call, Route } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { readCode } from "../access.ts";
import { describeCommits, filesParameter, verificationParameter, wantedParts } from "../commits/describe.ts";
import { CommitResource } from "../commits/resource.ts";
import { patchAnswer } from "../history/patch.ts";

export const CompareResource = Type.Object(
  {
    total_commits: whole("Commits only the head has."),
    commits: Type.Array(CommitResource, { description: "Those commits, the newest first; at most 250." }),
  },
  { $id: "Compare", description: "What one revision has that another has not." },
);

/** Comparing two revisions (contract git-content.md 7.5). */
export function compareRoutes(services: Services): Route[] {
  const { commits, compare } = services;
  const handle = async (call: Call): Promise<Response> => {
    const seen = seenRepo(call);
    const found = await compare.compare(seen, call.params["*"] ?? "");
    const read = commits.readAll(seen, found.commits);
    switch (text(call.query, "output")) {
      case "diff":
        return patchAnswer(services, seen.repo, { kind: "diff", from: found.from, to: found.head });
      case "patch": {
        // Merges have no patch of their own; mails come oldest first.
        const plain = read.filter(({ commit }) => commit.parents.length < 2).reverse();
        return patchAnswer(services, seen.repo, { kind: "mails", commits: plain.map(({ oid }) => oid) });
      }
      default: {
        const wanted = { ...wantedParts(call.query), stat: true };
        const shown = await describeCommits(services, seen, read, wanted);
        return json({ total_commits: found.total, commits: shown });
      }
    }
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
        params: { path: "base...head, base..head, or a head alone." },
        query: [
          { name: "output", description: "diff or patch for the change as text.", schema: Type.String() },
          verificationParameter,
          filesParameter,
        ],
        answers: {
          200: { description: "The commits.", schema: CompareResource },
          400: { description: "A form that is not read here." },
          404: { description: "There is no such revision." },
        },
      },
      handle,
    },
  ];
}
