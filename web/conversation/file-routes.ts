import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { attachmentResource } from "../../src/issues/attachments/resource.ts";
import type { Parent } from "../../src/issues/attachments/service.ts";
import { readUpload } from "../../src/issues/attachments/upload.ts";
import { seenComment } from "../../src/issues/comments/api.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { readForm, refusalText } from "../form-data.ts";
import { localPath } from "../redirect-target.ts";
import { redirectAfterPost } from "../visit.ts";
import { changesItems, showsItems } from "./access.ts";
import type { Conversations } from "./routes.tsx";

const at = "/:owner/:repo/issues";

/** Files uploaded by the script while a text is written (contract issues.md 12.5). */
export function filePages({ services }: Conversations): Route[] {
  const { attachments, issues, links } = services;
  const changes = { surface: "page", method: "POST", access: changesItems } as const;
  const list = (parent: Parent) => json(attachments.of(parent).map((file) => attachmentResource(file, links)));
  return [
    {
      ...changes,
      path: `${at}/attachments`,
      handle: (call) =>
        told(call, async () => {
          issues.requireReadable(seenRepo(call));
          attachments.requireEnabled();
          using upload = await readUpload(attachments, call, { field: "file", name: "" });
          return { uuid: attachments.keep(seenRepo(call), upload).uuid };
        }),
    },
    {
      ...changes,
      path: `${at}/attachments/remove`,
      handle: (call) =>
        told(call, async () => {
          const form = await readForm(call);
          const uuid = form.text("file");
          attachments.takeBack(seenRepo(call), uuid);
          const back = localPath(form.text("redirect_to"));
          return back ? redirectAfterPost(services, call, back) : { uuid };
        }),
    },
    {
      surface: "page",
      method: "GET",
      path: `${at}/:index/attachments`,
      access: showsItems,
      handle: (call) => list({ item: seenIssue(call, issues), entry: undefined }),
    },
    {
      surface: "page",
      method: "GET",
      path: "/:owner/:repo/comments/:id/attachments",
      access: showsItems,
      handle: (call) => list(seenComment(call, services)),
    },
  ];
}

/** Responds to the script with an error in the visitor's language; a forbidden file type is 400 here. */
async function told(call: Call, work: () => Promise<object | Response>): Promise<Response> {
  try {
    const answer = await work();
    return answer instanceof Response ? answer : json(answer);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return json({ message: refusalText(call, error) }, error.status === 422 ? 400 : error.status);
  }
}
