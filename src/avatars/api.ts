import { Type } from "@sinclair/typebox";
import { decodeBase64 } from "../http/base64.ts";
import { fileAnswer } from "../http/file-answer.ts";
import { noContent } from "../http/respond.ts";
import { type Call, param, type Route, signedIn, takes } from "../http/route.ts";
import { ownAccount } from "../identity/access.ts";
import { BadRequest } from "../kernel/errors.ts";
import { administersRepo } from "../repos/access.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { MAX_AVATAR_BYTES } from "./service.ts";

export const ImageBody = Type.Object(
  { image: Type.String({ description: "PNG, JPEG, GIF or WebP, in base64, without a data URL prefix." }) },
  { $id: "UpdateAvatarOption", description: "A picture." },
);

export const IMAGE_BODY_BYTES = Math.ceil((MAX_AVATAR_BYTES * 4) / 3) + 64 * 1024;

/** `POST` and `DELETE` of the caller's or a repository's picture (contract identity.md 8.9, repositories.md 15.1). */
export function avatarRoutes({ avatars }: Pick<Services, "avatars">): Route[] {
  const done = { 204: { description: "Done." } };
  const answers = {
    ...done,
    400: { description: "Not base64." },
    422: { description: "Not a picture, too large, or of an unknown format. Nothing was changed." },
  };
  const ofUser = { path: "/api/v1/user/avatar", surface: "api", access: ownAccount } as const;
  const ofRepo = { path: "/api/v1/repos/:owner/:repo/avatar", surface: "api", access: administersRepo } as const;
  return [
    {
      ...ofUser,
      method: "POST",
      doc: {
        id: "userUpdateAvatar",
        tag: "user",
        summary: "Update the authenticated user's avatar",
        answers,
      },
      ...takes(
        ImageBody,
        async (call, body) => {
          await avatars.setForUser(call.principal, signedIn(call), imageOf(body.image));
          return noContent();
        },
        { limitBytes: IMAGE_BODY_BYTES },
      ),
    },
    {
      ...ofUser,
      method: "DELETE",
      doc: { id: "userDeleteAvatar", tag: "user", summary: "Delete the authenticated user's avatar", answers: done },
      handle: (call) => {
        avatars.removeFromUser(call.principal, signedIn(call));
        return noContent();
      },
    },
    {
      ...ofRepo,
      method: "POST",
      doc: {
        id: "repoUpdateAvatar",
        tag: "repository",
        summary: "Update a repository's avatar",
        answers,
      },
      ...takes(
        ImageBody,
        async (call, body) => {
          await avatars.setForRepo(seenRepo(call), imageOf(body.image));
          return noContent();
        },
        { limitBytes: IMAGE_BODY_BYTES },
      ),
    },
    {
      ...ofRepo,
      method: "DELETE",
      doc: { id: "repoDeleteAvatar", tag: "repository", summary: "Delete a repository's avatar", answers: done },
      handle: (call) => {
        avatars.removeFromRepo(seenRepo(call));
        return noContent();
      },
    },
  ];
}

/** @throws BadRequest not base64; ValidationFailed not a picture */
export function imageOf(image: string): Uint8Array {
  const bytes = decodeBase64(image);
  if (bytes instanceof Uint8Array) return bytes;
  throw new BadRequest("avatar.bad-base64", { field: "image", params: { position: bytes.badAt } });
}

/** How long, in seconds, a public picture is cached; a new one gets another address. */
const PUBLIC_CACHE = "public, max-age=21600";
const PRIVATE_CACHE = "private, max-age=300";

/** The uploaded picture at the address in the path; undefined if there is none that the caller may see. */
export function uploadedAvatar(
  { avatars }: Pick<Services, "avatars">,
  call: Call,
  of: "user" | "repo",
): Response | undefined {
  const size = call.query.get("size");
  const sizePx = size !== null && /^\d{1,4}$/.test(size) ? Number(size) : undefined;
  const found = avatars.open(call.principal, of, param(call, "name"), sizePx);
  return found && fileAnswer(call, found, { cacheControl: found.isPublic ? PUBLIC_CACHE : PRIVATE_CACHE });
}
