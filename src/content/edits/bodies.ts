import { type Static, type TObject, Type } from "@sinclair/typebox";
import { decodeBase64 } from "../../http/base64.ts";
import { maybeRefName, maybeText, maybeYesNo } from "../../http/fields.ts";
import { badTime, ValidationFailed } from "../../kernel/errors.ts";
import { parseRfc3339 } from "../values.ts";
import type { EditRequest, FileOperation, RequestedTime } from "./types.ts";

/** Request bodies for changing files (contract git-content.md 4.2). */

const Signature = (who: string) =>
  Type.Optional(
    Type.Object(
      {
        name: Type.Optional(Type.String({ description: "Name.", maxLength: 100 })),
        email: Type.Optional(Type.String({ description: "Address.", maxLength: 254 })),
      },
      { description: `The ${who} of the commit; missing parts are taken from the other person, then from the caller.` },
    ),
  );

const common = {
  message: maybeText("Commit message; generated from the files by default."),
  branch: maybeRefName("The branch to start from; the default branch by default.", "BranchName"),
  new_branch: maybeRefName("A new branch to create and commit to.", "NewBranchName"),
  force_push: maybeYesNo("Allow new_branch to exist already and overwrite it."),
  author: Signature("author"),
  committer: Signature("committer"),
  dates: Type.Optional(
    Type.Object(
      {
        author: Type.Optional(Type.String({ description: "When it was written, as RFC 3339." })),
        committer: Type.Optional(Type.String({ description: "When it is committed, as RFC 3339." })),
      },
      { description: "Dates of the commit; now by default." },
    ),
  ),
  signoff: maybeYesNo("Add a Signed-off-by line for the committer to the message."),
};
const CommonBody = Type.Object(common);
type CommonBody = Static<typeof CommonBody>;

const contentField = { description: "The content in base64.", field: "ContentBase64" };

export const CreateFileBody = Type.Object(
  { ...common, content: Type.String({ ...contentField, minLength: 0 }) },
  { $id: "CreateFileOptions", description: "A file to create." },
);

export const UpdateFileBody = Type.Object(
  {
    ...common,
    content: Type.String({ ...contentField, minLength: 0 }),
    sha: maybeText("Id of the current blob; empty to create a new file."),
    from_path: maybeText("The current path of the file, to move it.", 500),
  },
  { $id: "UpdateFileOptions", description: "A file to change or move." },
);

export const DeleteFileBody = Type.Object(
  { ...common, sha: Type.String({ description: "Id of the current blob.", field: "SHA" }) },
  { $id: "DeleteFileOptions", description: "A file to delete." },
);

export const ApplyPatchBody = Type.Object(
  {
    ...common,
    content: Type.String({ description: "The patch, as `git diff` or `diff -u` print it.", field: "Content" }),
  },
  { $id: "ApplyDiffPatchFileOptions", description: "A patch to apply." },
);

export const ChangeFilesBody = Type.Object(
  {
    ...common,
    files: Type.Array(
      Type.Object({
        operation: Type.String({ description: "create, update, upload, rename or delete." }),
        path: Type.String({ description: "Path of the file.", maxLength: 500 }),
        content: Type.Optional(Type.String({ description: "The content in base64." })),
        sha: Type.Optional(Type.String({ description: "Id of the current blob; checked if given." })),
        from_path: Type.Optional(Type.String({ description: "The current path of the file, to move it." })),
      }),
      { description: "The operations, all in one commit.", field: "Files" },
    ),
  },
  { $id: "ChangeFilesOptions", description: "Several files to change in one commit." },
) satisfies TObject;

/** The edit except for its operations. @throws ValidationFailed for a date */
export function editRequestOf(body: CommonBody, operations: readonly FileOperation[]): EditRequest {
  return {
    operations,
    branch: body.branch,
    newBranch: body.new_branch,
    force: body.force_push,
    message: body.message,
    author: body.author,
    committer: body.committer,
    authorTime: timeOf(body.dates?.author, "author"),
    committerTime: timeOf(body.dates?.committer, "committer"),
    signoff: body.signoff,
  };
}

/** @throws ValidationFailed for an unknown operation, or content that is not base64 */
export function operationsOf(body: Static<typeof ChangeFilesBody>): FileOperation[] {
  return body.files.map((file) => ({
    kind: operationKind(file.operation),
    path: file.path,
    fromPath: file.from_path,
    sha: file.sha,
    content:
      file.operation === "delete" || (file.operation === "rename" && !file.content)
        ? undefined
        : contentOf(file.content ?? ""),
  }));
}

function operationKind(text: string): FileOperation["kind"] {
  const kind = (["create", "update", "upload", "rename", "delete"] as const).find((known) => known === text);
  if (!kind)
    throw new ValidationFailed("edit.unknown-operation", {
      field: "operation",
      params: { operation: text.slice(0, 50) },
    });
  return kind;
}

/** @throws ValidationFailed */
export function contentOf(text: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes instanceof Uint8Array) return bytes;
  throw new ValidationFailed("edit.bad-base64", { field: "content", params: { position: bytes.badAt } });
}

function timeOf(text: string | undefined, which: string): RequestedTime | undefined {
  if (text === undefined || text === "") return undefined;
  const parsed = parseRfc3339(text);
  if (!parsed) throw badTime(`dates.${which}`, text);
  return parsed;
}
