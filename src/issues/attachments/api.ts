import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import { asks, textParam } from "../../http/query.ts";
import { created, json, noContent } from "../../http/respond.ts";
import { type Access, type Call, param, type Route, takes } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import { seenComment } from "../comments/api.ts";
import { namedIssue } from "../item.ts";
import { downloadOf } from "./download.ts";
import { AttachmentResource, attachmentResource } from "./resource.ts";
import type { Parent } from "./service.ts";
import { readUpload } from "./upload.ts";

const RenameBody = Type.Object(
  { name: maybeText("Its new name; empty to leave it unchanged.") },
  { $id: "EditAttachmentOptions", description: "The changes." },
);

/** Files attached to items and comments over REST, and their bytes (contract issues.md 12.1, 12.4). */
export function attachmentRoutes(services: Services): Route[] {
  const repo = "/api/v1/repos/:owner/:repo/issues";
  return [
    ...routesBelow(services, {
      path: `${repo}/:index/assets`,
      params: { index: "Number of the item." },
      words: ["Issue", "an issue or a pull request"],
      parentOf: (call) => ({ item: namedIssue(call, services.issues), entry: undefined }),
    }),
    ...routesBelow(services, {
      path: `${repo}/comments/:id/assets`,
      params: { id: "Number of the comment." },
      words: ["IssueComment", "a comment"],
      parentOf: (call) => {
        try {
          const comment = seenComment(call, services);
          if (comment.entry.kind === "comment") return comment;
        } catch (error) {
          if (!(error instanceof NotFound)) throw error;
        }
        throw new NotFound("comment.unmatched");
      },
    }),
    ...downloads(services),
  ];
}

interface Below {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Used in operation ids and descriptions of the API document. */
  readonly words: readonly [name: string, thing: string];
  parentOf(call: Call): Parent;
}

function routesBelow(services: Services, { path, params, words: [name, thing], parentOf }: Below): Route[] {
  const { attachments, links } = services;
  const api = { surface: "api" } as const;
  const fileParams = { ...params, attachment_id: "Number of the file." };
  const shown = { description: "The file.", schema: AttachmentResource };
  const missing = { description: "There is no such file." };
  const refused = { description: "The caller may not change the files there." };
  const fileOf = (call: Call, parent: Parent) => {
    const id = param(call, "attachment_id");
    return attachments.find(parent, /^\d{1,15}$/.test(id) ? Number(id) : 0);
  };
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesItems,
      doc: {
        id: `issueCreate${name}Attachment`,
        tag: "issue",
        summary: `Attach a file to ${thing}, in the form field attachment`,
        params,
        answers: {
          201: shown,
          403: refused,
          404: { description: "It does not exist, or files cannot be attached here." },
          413: { description: "The file is too large." },
          422: { description: "The type is not allowed, or the file is missing." },
        },
      },
      ...asks({ name: textParam("A file name to use instead of the original one.") }, async (call, wanted) => {
        const parent = parentOf(call);
        attachments.requireMayChange(parent);
        using upload = await readUpload(attachments, call, { field: "attachment", name: wanted.name });
        return created(attachmentResource(attachments.add(parent, upload), links));
      }),
    },
    {
      ...api,
      method: "GET",
      path,
      access: readsItems,
      doc: {
        id: `issueList${name}Attachments`,
        tag: "issue",
        summary: `List the files of ${thing}`,
        params,
        answers: { 200: { description: "All of them.", schema: Type.Array(AttachmentResource) } },
      },
      handle: (call) => json(attachments.of(parentOf(call)).map((file) => attachmentResource(file, links))),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:attachment_id`,
      access: readsItems,
      doc: {
        id: `issueGet${name}Attachment`,
        tag: "issue",
        summary: `Get a file of ${thing}`,
        params: fileParams,
        answers: { 200: shown, 404: missing },
      },
      handle: (call) => json(attachmentResource(fileOf(call, parentOf(call)), links)),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:attachment_id`,
      access: changesItems,
      doc: {
        id: `issueEdit${name}Attachment`,
        tag: "issue",
        summary: `Rename a file of ${thing}`,
        params: fileParams,
        answers: { 201: shown, 403: refused, 404: missing, 422: { description: "The file name is not allowed." } },
      },
      ...takes(RenameBody, (call, body) => {
        const parent = parentOf(call);
        return created(attachmentResource(attachments.rename(parent, fileOf(call, parent), body.name ?? ""), links));
      }),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:attachment_id`,
      access: changesItems,
      doc: {
        id: `issueDelete${name}Attachment`,
        tag: "issue",
        summary: `Delete a file of ${thing}`,
        params: fileParams,
        answers: { 204: { description: "Deleted." }, 403: refused, 404: missing },
      },
      handle: (call) => {
        const parent = parentOf(call);
        attachments.remove(parent, fileOf(call, parent));
        return noContent();
      },
    },
  ];
}

function downloads({ attachments }: Services): Route[] {
  // Release files share these addresses: the required scope is known only once the file is found.
  const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };
  const inRepo: Access = { ...open, subject: { kind: "repository", level: "read" } };
  const download = (call: Call, repoId?: number): Response => {
    const opened = attachments.open(call.principal, param(call, "uuid"));
    if (repoId !== undefined && opened.file.repoId !== repoId) throw new NotFound();
    return downloadOf(call, opened);
  };
  const bytes = { method: "GET", surface: "bytes" } as const;
  return [
    { ...bytes, path: "/attachments/:uuid", access: open, handle: (call) => download(call) },
    {
      ...bytes,
      path: "/:owner/:repo/attachments/:uuid",
      access: inRepo,
      handle: (call) => download(call, seenRepo(call).repo.id),
    },
    {
      ...bytes,
      path: "/:owner/:repo/issues/:index/attachments/:uuid",
      access: inRepo,
      handle: (call) => download(call, seenRepo(call).repo.id),
    },
  ];
}
