import { readUpload } from "../../src/avatars/service.ts";
import { bodyOf } from "../../src/http/body.ts";
import { readMultipart } from "../../src/http/multipart.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { Failure, ValidationFailed } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Services } from "../../src/services.ts";
import { repoHref } from "../links.ts";
import { person, redirectAfterPost, repoAdmin } from "../visit.ts";

/** Forms of pictures, in the settings of an account and of a repository (contract web.md 1.4, 1.10). */
export function avatarPages(services: Services): Route[] {
  const { avatars } = services;
  const page = { method: "POST", surface: "page" } as const;
  const mine = { ...page, access: person } as const;
  const ofRepo = { ...page, access: repoAdmin } as const;
  const repoSettings = (call: Call) => {
    const { owner, repo } = seenRepo(call);
    return repoHref({ owner: owner.login, name: repo.name }, "settings");
  };
  return [
    {
      ...mine,
      path: "/user/settings/avatar",
      handle: (call) =>
        change(services, call, "/user/settings", async () => {
          await avatars.setForUser(call.principal, signedIn(call), await readPicture(call));
          return "Your picture was changed.";
        }),
    },
    {
      ...mine,
      path: "/user/settings/avatar/delete",
      handle: (call) =>
        change(services, call, "/user/settings", () => {
          avatars.removeFromUser(call.principal, signedIn(call));
          return "Your picture was removed.";
        }),
    },
    {
      ...ofRepo,
      path: "/:owner/:repo/settings/avatar",
      handle: (call) =>
        change(services, call, repoSettings(call), async () => {
          await avatars.setForRepo(seenRepo(call), await readPicture(call));
          return "The picture was changed.";
        }),
    },
    {
      ...ofRepo,
      path: "/:owner/:repo/settings/avatar/delete",
      handle: (call) =>
        change(services, call, repoSettings(call), () => {
          avatars.removeFromRepo(seenRepo(call));
          return "The picture was removed.";
        }),
    },
  ];
}

/** Does it and leads back to the settings, which say how it went. */
async function change(
  services: Services,
  call: Call,
  settings: string,
  work: () => string | Promise<string>,
): Promise<Response> {
  try {
    return redirectAfterPost(services, call, settings, { kind: "success", text: await work() });
  } catch (error) {
    const text = error instanceof Failure ? sentences[error.code] : undefined;
    if (text === undefined) throw error;
    return redirectAfterPost(services, call, settings, { kind: "error", text });
  }
}

const sentences: Readonly<Record<string, string>> = {
  "avatar.missing": "Choose a picture first.",
  "avatar.not-an-image": "This is not a PNG, JPEG, GIF or WebP picture. Nothing was changed.",
  "avatar.too-many-pixels": "The picture has more than 4096 pixels a side. Nothing was changed.",
  "avatar.too-large": "The picture is larger than 8 MiB. Nothing was changed.",
  "form.too-large": "The picture is larger than 8 MiB. Nothing was changed.",
};

/** @throws ValidationFailed `avatar.missing`, `avatar.too-large`, or what is no form */
async function readPicture(call: Call): Promise<Uint8Array> {
  const type = call.request.headers.get("content-type") ?? "";
  // The service has the limit; the form only keeps from reading much more than that.
  const limits = { maxFiles: 1, maxFileBytes: 16 * 2 ** 20, maxFieldBytes: 16 * 1024 };
  using form = await readMultipart(bodyOf(call.request), type, limits, async ({ bytes }) => ({
    upload: await readUpload(bytes),
    [Symbol.dispose]: () => {},
  }));
  const upload = form.files.find(({ field }) => field === "avatar")?.file.upload;
  if (!upload) throw new ValidationFailed("avatar.missing", { field: "avatar" });
  return upload;
}
