import { administersAccounts } from "../../src/admin/access.ts";
import { readUpload } from "../../src/avatars/service.ts";
import { bodyStream } from "../../src/http/body.ts";
import { readMultipart } from "../../src/http/multipart.ts";
import { type Call, param, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { NotFound, TooLarge, ValidationFailed } from "../../src/kernel/errors.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { redirectAfterPost } from "../visit.ts";
import { avatarWords } from "./words/index.ts";

/** Avatar forms in the settings of accounts and repositories (contract web.md 1.4, 1.10). */
export function avatarPages(services: WebServices): Route[] {
  const { avatars } = services;
  const page = { method: "POST", surface: "page" } as const;
  const mine = { ...page, access: ownAccount } as const;
  const ofRepo = { ...page, access: administersRepo } as const;
  const ofAnyone = { ...page, access: administersAccounts } as const;
  const account = (call: Call) => {
    const id = param(call, "id");
    const user = /^\d{1,15}$/.test(id) ? services.identity.byId(Number(id)) : undefined;
    if (!user || user.kind === "organization") throw new NotFound();
    return user;
  };
  const accountPage = (call: Call) => `/-/admin/users/${account(call).id}/edit`;
  const repoSettings = (call: Call) => {
    const { owner, repo } = seenRepo(call);
    return repoHref({ owner: owner.login, name: repo.name }, "settings");
  };
  return [
    {
      ...mine,
      path: "/user/settings/avatar",
      handle: (call) =>
        changePicture(services, call, "/user/settings", "changed", async () => {
          await avatars.setForUser(call.principal, signedIn(call), await readPicture(call));
        }),
    },
    {
      ...mine,
      path: "/user/settings/avatar/delete",
      handle: (call) =>
        changePicture(services, call, "/user/settings", "removed", () => {
          avatars.removeFromUser(call.principal, signedIn(call));
        }),
    },
    {
      ...ofAnyone,
      path: "/-/admin/users/:id/avatar",
      handle: (call) =>
        changePicture(services, call, accountPage(call), "changed", async () => {
          await avatars.setForUser(call.principal, account(call), await readPicture(call));
        }),
    },
    {
      ...ofAnyone,
      path: "/-/admin/users/:id/avatar/delete",
      handle: (call) =>
        changePicture(services, call, accountPage(call), "removed", () => {
          avatars.removeFromUser(call.principal, account(call));
        }),
    },
    {
      ...ofRepo,
      path: "/:owner/:repo/settings/avatar",
      handle: (call) =>
        changePicture(services, call, repoSettings(call), "changed", async () => {
          await avatars.setForRepo(seenRepo(call), await readPicture(call));
        }),
    },
    {
      ...ofRepo,
      path: "/:owner/:repo/settings/avatar/delete",
      handle: (call) =>
        changePicture(services, call, repoSettings(call), "removed", () => {
          avatars.removeFromRepo(seenRepo(call));
        }),
    },
  ];
}

/** Does the work and redirects to the settings, with a message about the outcome. */
export async function changePicture(
  services: WebServices,
  call: Call,
  settings: string,
  done: "changed" | "removed",
  work: () => void | Promise<void>,
): Promise<Response> {
  try {
    await work();
  } catch (error) {
    return redirectAfterPost(services, call, settings, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, avatarWords)(done);
  return redirectAfterPost(services, call, settings, { kind: "success", text });
}

/** @throws ValidationFailed `avatar.missing`, `avatar.too-large`, or for a body that is not a form */
export async function readPicture(call: Call): Promise<Uint8Array> {
  const type = call.request.headers.get("content-type") ?? "";
  // The service enforces the limit; this only avoids reading much more than that.
  const limits = { maxFiles: 1, maxFileBytes: 16 * 2 ** 20, maxFieldBytes: 16 * 1024 };
  const reading = readMultipart(bodyStream(call, 2 * limits.maxFileBytes), type, limits, async ({ bytes }) => ({
    upload: await readUpload(bytes),
    [Symbol.dispose]: () => {},
  }));
  using form = await reading.catch((error) => {
    throw error instanceof TooLarge ? new ValidationFailed("avatar.too-large", { field: "avatar" }) : error;
  });
  const upload = form.files.find(({ field }) => field === "avatar")?.file.upload;
  if (!upload) throw new ValidationFailed("avatar.missing", { field: "avatar" });
  return upload;
}
