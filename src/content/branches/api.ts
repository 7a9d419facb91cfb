import { Type } from "@sinclair/typebox";
import { CorruptObject } from "../../git/errors.ts";
import { maybeRefName, maybeText, maybeYesNo } from "../../http/fields.ts";
import { lists, textParam } from "../../http/query.ts";
import { created, json, noContent, page } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { createBranch, deleteBranch, moveBranch, readCode, renameBranch } from "../access.ts";
import { verify } from "../commits/describe.ts";
import { BranchResource, branchResource } from "./resource.ts";
import type { Branch } from "./service.ts";

const path = "/api/v1/repos/:owner/:repo/branches";
const params = { path: "Name of the branch." };

const CreateBranchBody = Type.Object(
  {
    new_branch_name: Type.String({
      description: "Name of the new branch.",
      maxLength: 100,
      rule: "GitRefName",
      field: "BranchName",
    }),
    old_ref_name: maybeText("Branch, tag or commit to start from; the default branch by default."),
    old_branch_name: maybeRefName("Branch to start from; older name of old_ref_name.", "OldBranchName"),
  },
  { $id: "CreateBranchRepoOption", description: "A branch to create." },
);

const UpdateBranchBody = Type.Object(
  {
    new_commit_id: Type.String({ description: "The commit to move it to.", field: "NewCommitID" }),
    old_commit_id: maybeText("The commit it is expected to be at; checked if given."),
    force: maybeYesNo("Move it even if commits are lost."),
  },
  { $id: "UpdateBranchRepoOption", description: "Where to move a branch." },
);

const RenameBranchBody = Type.Object(
  {
    name: Type.String({ description: "The new name.", maxLength: 100, rule: "GitRefName", field: "Name" }),
  },
  { $id: "RenameBranchRepoOption", description: "A new name for a branch." },
);

/** Branches (contract git-content.md 8). */
export function branchRoutes({ branches, branchProtections, commits, links, signatures }: Services): Route[] {
  const nameOf = (call: Call) => call.params["*"] ?? "";
  const show = async (call: Call, items: readonly Branch[]) => {
    const seen = seenRepo(call);
    const read = items.map((branch) => {
      const commit = commits.read(seen, branch.commit);
      if (!commit) throw new CorruptObject(`commit ${branch.commit} is missing`);
      return { branch, commit };
    });
    const shown = read.map(({ commit }) => commit);
    const people = commits.peopleOf(call.principal, shown);
    const verifications = await verify({ signatures }, seen, shown);
    const states = branchProtections.statesOf(
      seen,
      read.map(({ branch }) => branch.name),
    );
    return read.flatMap(({ branch, commit }, at) => {
      const state = states[at];
      return state
        ? [branchResource(seen, branch.name, commit, state, people, verifications.get(commit.oid), links)]
        : [];
    });
  };

  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoListBranches",
        tag: "repository",
        summary: "List a repository's branches",
        answers: { 200: { description: "The branches, newest commit first.", schema: Type.Array(BranchResource) } },
      },
      ...lists({ q: textParam("Part of the name.") }, async (call, { q }) => {
        const { items, total } = await branches.list(seenRepo(call), call.paging, { part: q });
        return page(await show(call, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: `${path}/*`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetBranch",
        tag: "repository",
        summary: "Get a branch",
        params,
        answers: {
          200: { description: "The branch.", schema: BranchResource },
          404: { description: "There is no such branch." },
        },
      },
      handle: async (call) => json((await show(call, [branches.get(seenRepo(call), nameOf(call))]))[0]),
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: createBranch,
      doc: {
        id: "repoCreateBranch",
        tag: "repository",
        summary: "Create a branch",
        answers: {
          201: { description: "The branch.", schema: BranchResource },
          403: { description: "A rule protects the name." },
          404: { description: "The starting point does not exist." },
          409: { description: "The name is taken." },
          422: { description: "The name is invalid." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(CreateBranchBody, async (call, body) => {
        const requested = { name: body.new_branch_name, from: body.old_ref_name, fromBranch: body.old_branch_name };
        const branch = await call.effect.once(() => branches.create(seenRepo(call), requested));
        return created((await show(call, [branch]))[0]);
      }),
    },
    {
      method: "PUT",
      path: `${path}/*`,
      surface: "api",
      access: moveBranch,
      doc: {
        id: "repoUpdateBranch",
        tag: "repository",
        summary: "Update a branch to point at another commit",
        params,
        answers: {
          204: { description: "The branch points to the commit." },
          403: { description: "A rule protects the branch." },
          404: { description: "There is no such branch or commit." },
          422: { description: "The branch is not at the expected commit, or commits would be lost." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(UpdateBranchBody, async (call, body) => {
        const requested = { to: body.new_commit_id, expected: body.old_commit_id, force: body.force };
        await branches.move(seenRepo(call), nameOf(call), requested);
        return noContent();
      }),
    },
    {
      method: "PATCH",
      path: `${path}/*`,
      surface: "api",
      access: renameBranch,
      doc: {
        id: "repoRenameBranch",
        tag: "repository",
        summary: "Rename a branch",
        params,
        answers: {
          204: { description: "Renamed." },
          403: {
            description: "Only administrators may rename the default branch, or a rule protects one of the names.",
          },
          404: { description: "There is no such branch." },
          422: { description: "The name is invalid or taken." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(RenameBranchBody, async (call, body) => {
        await branches.rename(seenRepo(call), nameOf(call), body.name);
        return noContent();
      }),
    },
    {
      method: "DELETE",
      path: `${path}/*`,
      surface: "api",
      access: deleteBranch,
      doc: {
        id: "repoDeleteBranch",
        tag: "repository",
        summary: "Delete a branch",
        params,
        answers: {
          204: { description: "Deleted." },
          403: { description: "The default branch and protected branches cannot be deleted." },
          404: { description: "There is no such branch." },
          423: { description: "The repository is archived." },
        },
      },
      handle: async (call) => {
        await branches.remove(seenRepo(call), nameOf(call));
        return noContent();
      },
    },
  ];
}
