import { Type } from "@sinclair/typebox";
import { type ListCall, lists, type Parameter, textParam, type ValuesOf } from "../../http/query.ts";
import { json, linkHeader } from "../../http/respond.ts";
import type { Route } from "../../http/route.ts";
import { Conflict, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { readCode } from "../access.ts";
import { parseRfc3339, readPath } from "../values.ts";
import { commitParts, describeCommits } from "./describe.ts";
import { CommitResource } from "./resource.ts";

/** Seconds since 1970; undefined when absent. */
function timeParam(description: string): Parameter<number | undefined> {
  return {
    description,
    schema: Type.String({ format: "date-time" }),
    read: (given, name) => {
      if (given === "") return undefined;
      const time = parseRfc3339(given);
      if (!time) throw new ValidationFailed("commit.bad-date", { field: name, params: { name } });
      return time.timestamp;
    },
  };
}

const listing = {
  sha: textParam("Branch, tag or commit to start from; the default branch by default."),
  path: textParam("Only commits that changed this file or directory."),
  since: timeParam("Only commits at or after this time, as RFC 3339."),
  until: timeParam("Only commits at or before this time, as RFC 3339."),
  not: textParam("Leave out commits reachable from this revision."),
  ...commitParts,
};

/** The history of a repository (contract git-content.md 7.2). */
export function commitRoutes(services: Services): Route[] {
  const { commits, history, links, revisions } = services;

  const list = async (call: ListCall, wanted: ValuesOf<typeof listing>): Promise<Response> => {
    const seen = seenRepo(call);
    const { paging } = call;
    const { not, since, until } = wanted;
    if (seen.repo.isEmpty) throw new Conflict("repository.empty-git");
    const tip = tipOf(services, seen, wanted.sha);
    const unwanted = not === "" ? undefined : revisions.commit(seen, not)?.oid;
    if (not !== "" && unwanted === undefined) throw new NotFound("object.missing", { params: { id: not } });
    const path = readPath(wanted.path);
    const range = {
      tips: [tip],
      ...(unwanted === undefined ? {} : { not: [unwanted] }),
      ...(path === "" ? {} : { paths: [path] }),
    };
    const dated = {
      ...range,
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    };
    const total = await history.count(seen, dated);
    if (total === 0 && path !== "") {
      const ever = await history.page(seen, { ...range, skip: 0, limit: 1, count: false });
      if (ever.oids.length === 0) throw new NotFound();
    }
    const found = await history.page(seen, { ...dated, skip: paging.offset, limit: paging.limit, count: false });
    const shown = await describeCommits(services, seen, commits.readAll(seen, found.oids), wanted);
    return json(shown, 200, headersOf(call, total));
  };

  const headersOf = (call: ListCall, total: number): Record<string, string> => {
    const { page, limit } = call.paging;
    const pages = Math.ceil(total / limit);
    const link = linkHeader(total, { rootUrl: links.rootUrl, ...call });
    return {
      "x-page": String(page),
      "x-perpage": String(limit),
      "x-total": String(total),
      "x-pagecount": String(pages),
      "x-hasmore": String(page < pages),
      "x-total-count": String(total),
      ...(link ? { link } : {}),
      "access-control-expose-headers": "Link, X-Total-Count, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore",
    };
  };

  return [
    {
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/commits",
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetAllCommits",
        tag: "repository",
        summary: "List a repository's commits",
        answers: {
          200: { description: "The commits, newest first.", schema: Type.Array(CommitResource) },
          404: { description: "There is no such revision, or no commit changed the path." },
          409: { description: "The repository is empty." },
          422: { description: "A date is not in RFC 3339 format." },
        },
      },
      ...lists(listing, list),
    },
  ];
}

function tipOf({ revisions }: Services, seen: SeenRepo, sha: string): string {
  const found = sha === "" ? revisions.head(seen) : revisions.named(seen, sha);
  if (!found) throw new NotFound("object.missing", { params: { id: sha || seen.repo.defaultBranch } });
  return found.commit;
}
