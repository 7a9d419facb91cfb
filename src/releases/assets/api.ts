import { Type } from "@sinclair/typebox";
import { bodyStream } from "../../http/body.ts";
import { maybeText } from "../../http/fields.ts";
import { asks, textParam } from "../../http/query.ts";
import { created, json, noContent } from "../../http/respond.ts";
import { type Call, param, type Route, takes } from "../../http/route.ts";
import type { Upload } from "../../issues/attachments/receive.ts";
import { AttachmentResource } from "../../issues/attachments/resource.ts";
import { readUpload } from "../../issues/attachments/upload.ts";
import { BadRequest } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesReleases, readsReleases } from "../access.ts";
import { releaseOf } from "../release.ts";
import { assetResource, assetResources } from "../resource.ts";
import type { Release, ReleaseAsset } from "../types.ts";
import type { ReleaseAssets } from "./service.ts";

const RenameBody = Type.Object(
  { name: maybeText("Its new name; empty to leave it unchanged.") },
  { $id: "EditReleaseAssetOptions", description: "Changes to an attached file." },
);

/** Files of releases over REST (contract repositories.md 17.5). */
export function releaseAssetRoutes(services: Services): Route[] {
  const { releaseAssets } = services;
  const path = "/api/v1/repos/:owner/:repo/releases/:id/assets";
  const api = { surface: "api" } as const;
  const params = { id: "Number of the release." };
  const fileParams = { ...params, attachment_id: "Number of the file." };
  const one = { description: "The file.", schema: AttachmentResource };
  const missing = { 404: { description: "There is no such release, or no such file in it." } };
  const refused = {
    403: { description: "The caller may not write releases." },
    423: { description: "The repository is archived." },
  };
  const fileOf = (call: Call, release: Release): ReleaseAsset => {
    const id = param(call, "attachment_id");
    return releaseAssets.get(release, /^\d{1,15}$/.test(id) ? Number(id) : 0);
  };
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesReleases,
      doc: {
        id: "repoCreateReleaseAttachment",
        tag: "repository",
        summary: "Add a file to a release, in the form field attachment or as the raw body",
        params,
        answers: {
          201: one,
          400: { description: "The name is missing, or the type is not allowed." },
          ...missing,
          413: { description: "The file is too large." },
          ...refused,
        },
      },
      ...asks({ name: textParam("The file name; required without a form.") }, async (call, { name }) => {
        const release = releaseOf(services, call);
        using upload = await received(releaseAssets, call, name);
        return created(assetResource(services, releaseAssets.add(seenRepo(call), release, upload)));
      }),
    },
    {
      ...api,
      method: "GET",
      path,
      access: readsReleases,
      doc: {
        id: "repoListReleaseAttachments",
        tag: "repository",
        summary: "List the files of a release",
        params,
        answers: { 200: { description: "Sorted by name.", schema: Type.Array(AttachmentResource) }, ...missing },
      },
      handle: (call) => {
        const release = releaseOf(services, call);
        return json(assetResources(services, seenRepo(call), release, releaseAssets.of(release)));
      },
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:attachment_id`,
      access: readsReleases,
      doc: {
        id: "repoGetReleaseAttachment",
        tag: "repository",
        summary: "Get a file of a release",
        params: fileParams,
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(assetResource(services, fileOf(call, releaseOf(services, call)))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:attachment_id`,
      access: changesReleases,
      doc: {
        id: "repoEditReleaseAttachment",
        tag: "repository",
        summary: "Rename a file of a release",
        params: fileParams,
        answers: { 201: one, ...missing, 422: { description: "The file name is not allowed." }, ...refused },
      },
      ...takes(RenameBody, (call, { name = "" }) => {
        const asset = fileOf(call, releaseOf(services, call));
        return created(assetResource(services, releaseAssets.rename(asset, name)));
      }),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:attachment_id`,
      access: changesReleases,
      doc: {
        id: "repoDeleteReleaseAttachment",
        tag: "repository",
        summary: "Delete a file of a release",
        params: fileParams,
        answers: { 204: { description: "Deleted." }, ...missing, ...refused },
      },
      handle: (call) => {
        releaseAssets.remove(fileOf(call, releaseOf(services, call)));
        return noContent();
      },
    },
  ];
}

/** @throws BadRequest no name, no file; TooLarge */
function received(assets: ReleaseAssets, call: Call, name: string): Promise<Upload & Disposable> {
  const missing = () => new BadRequest("release.asset-unnamed", { field: "name" });
  const type = call.request.headers.get("content-type") ?? "";
  if (/^multipart\/form-data\b/i.test(type)) return readUpload(assets, call, { field: "attachment", name, missing });
  if (name === "") throw missing();
  call.keepOpen();
  return assets.receive(bodyStream(call, assets.maxBytes + 1), name);
}
