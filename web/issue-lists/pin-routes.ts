import { readFields } from "../../src/http/body.ts";
import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { Form } from "../form-data.ts";
import { localPath } from "../redirect-target.ts";
import { redirectAfterPost } from "../visit.ts";
import { administersItemsPage } from "./access.ts";

/** The order of pinned items: forms of the list, and JSON for programs (contract web.md 1.9). */
export function pinPages(services: WebServices): Route[] {
  const { issues, pins } = services;
  const page = { surface: "page", access: administersItemsPage } as const;
  return [
    { ...page, method: "POST", path: "/:owner/:repo/issues/move_pin", handle: (call) => move(services, call) },
    {
      ...page,
      method: "DELETE",
      path: "/:owner/:repo/issues/unpin/:index",
      handle: (call) => {
        pins.unpin(seenIssue(call, issues));
        return json({ ok: true });
      },
    },
  ];
}

/** Takes the `id` of an item and its new `position`, from 1. */
async function move(services: WebServices, call: Call): Promise<Response> {
  const { fields } = await readFields(call, 10_000);
  const form = new Form(fields);
  const numberIn = (name: string) => (typeof fields[name] === "number" ? fields[name] : form.number(name));
  const [item] = services.issues.inRepo(seenRepo(call), [numberIn("id") ?? 0]);
  if (!item) throw new NotFound();
  services.pins.move(item, numberIn("position") ?? 0);
  const back = localPath(form.text("redirect_to"));
  return back ? redirectAfterPost(services, call, back) : json({ ok: true });
}
