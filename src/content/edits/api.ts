import { json } from "../../http/respond.ts";
import { type Call, type Route, type RouteDoc, takes } from "../../http/route.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import { verificationResource } from "../../keys/verification/resource.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { editFiles } from "../access.ts";
import { verify } from "../commits/describe.ts";
import { fileCommitResource } from "../commits/resource.ts";
import { describeEntry, everything } from "../files/answers.ts";
import { FileAnswerResource, FilesAnswerResource } from "../files/resource.ts";
import {
  ApplyPatchBody,
  ChangeFilesBody,
  CreateFileBody,
  contentOf,
  DeleteFileBody,
  editRequestOf,
  operationsOf,
  UpdateFileBody,
} from "./bodies.ts";
import type { EditRequest } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/contents";

/** Creating, changing and deleting files (contract git-content.md 4). */
export function editRoutes(services: Services): Route[] {
  const { commits, edits, files, links, repos, revisions } = services;

  const takesFiles = { large: true, before: (call: Call) => edits.requireEditor(seenRepo(call)) };
  const perform = async (call: Call, request: EditRequest) => {
    const before = seenRepo(call);
    const done = await edits.commit(before, request);
    // The first commit of an empty repository also changes the repository itself.
    const seen = { ...before, repo: repos.byId(before.repo.id) ?? before.repo };
    const at = revisions.branch(seen, done.branch);
    const made = commits.read(seen, done.commit);
    if (!at || !made) throw new Error(`the commit ${done.commit} is gone`);
    const shown = await Promise.all(
      done.files.map(({ path: changed, entry }) => {
        const found = entry && files.find(seen, done.commit, changed);
        return found
          ? describeEntry(services, seen, { ...at, commit: done.commit }, found, done.branch, everything)
          : null;
      }),
    );
    const verifications = await verify(services, seen, [made]);
    return {
      shown,
      commit: fileCommitResource(seen, made, links),
      verification: verificationResource(verifications.get(made.oid), made.commit.signature, made.signed),
    };
  };
  const single = async (call: Call, request: EditRequest, status: number) => {
    const { shown, commit, verification } = await perform(call, request);
    return json({ content: shown[0] ?? null, commit, verification }, status);
  };
  const refusals = {
    404: { description: "There is no such branch or file." },
    409: { description: "Someone else changed the branch in the meantime." },
    422: { description: "A value is invalid, or the current content is not what the caller expected." },
    423: { description: "The repository is archived." },
  };
  const fileDoc = (id: string, summary: string, status: number): RouteDoc => ({
    id,
    tag: "repository",
    summary,
    params: { path: "Path from the root." },
    answers: { [status]: { description: "The file and the commit.", schema: FileAnswerResource }, ...refusals },
  });

  return [
    {
      method: "POST",
      path: `${path}/*`,
      surface: "api",
      access: editFiles,
      doc: fileDoc("repoCreateFile", "Create a file", 201),
      ...takes(
        CreateFileBody,
        async (call, body) => {
          const operation = {
            kind: "create",
            path: call.params["*"] ?? "",
            content: contentOf(body.content),
          } as const;
          return single(call, editRequestOf(body, [operation]), 201);
        },
        takesFiles,
      ),
    },
    {
      method: "PUT",
      path: `${path}/*`,
      surface: "api",
      access: editFiles,
      doc: fileDoc("repoUpdateFile", "Update, move or create a file", 200),
      ...takes(
        UpdateFileBody,
        async (call, body) => {
          const creates = !body.sha && !body.from_path;
          const operation = {
            kind: creates ? "create" : "update",
            path: call.params["*"] ?? "",
            content: contentOf(body.content),
            fromPath: body.from_path,
            sha: body.sha,
          } as const;
          return single(call, editRequestOf(body, [operation]), creates ? 201 : 200);
        },
        takesFiles,
      ),
    },
    {
      method: "DELETE",
      path: `${path}/*`,
      surface: "api",
      access: editFiles,
      doc: fileDoc("repoDeleteFile", "Delete a file", 200),
      ...takes(
        DeleteFileBody,
        async (call, body) => {
          const operation = { kind: "delete", path: call.params["*"] ?? "", sha: body.sha } as const;
          return single(call, editRequestOf(body, [operation]), 200);
        },
        takesFiles,
      ),
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: editFiles,
      doc: {
        id: "repoChangeFiles",
        tag: "repository",
        summary: "Change several files in one commit",
        answers: { 201: { description: "The files and the commit.", schema: FilesAnswerResource }, ...refusals },
      },
      ...takes(
        ChangeFilesBody,
        async (call, body) => {
          const { shown, commit, verification } = await perform(call, editRequestOf(body, operationsOf(body)));
          return json({ files: shown, commit, verification }, 201);
        },
        takesFiles,
      ),
    },
    {
      method: "POST",
      path: "/api/v1/repos/:owner/:repo/diffpatch",
      surface: "api",
      access: editFiles,
      doc: {
        id: "repoApplyDiffPatch",
        tag: "repository",
        summary: "Apply a patch to a repository",
        answers: { 201: { description: "The commit.", schema: FileAnswerResource }, ...refusals },
      },
      ...takes(
        ApplyPatchBody,
        async (call, body) => {
          if (body.content.trim() === "")
            throw new ValidationFailed("value.required", { field: "content", params: { name: "Content" } });
          const change = { kind: "patch", patch: new TextEncoder().encode(body.content) } as const;
          const { commit, verification } = await perform(call, { ...editRequestOf(body, []), change });
          return json({ content: null, commit, verification }, 201);
        },
        takesFiles,
      ),
    },
  ];
}
