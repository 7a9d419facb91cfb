import { readFields, SMALL_BODY_BYTES } from "../../http/body.ts";
import { numberParam, readQuery, textParam } from "../../http/query.ts";
import { json } from "../../http/respond.ts";
import { idParam, param, type Route } from "../../http/route.ts";
import { BadRequest } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { jobRoute, sentPart } from "./job-route.ts";
import { artifactNameOf, itemOf, lengthOf, sentRangeOf } from "./values.ts";

const PATH = "/api/actions_pipeline/_apis/pipelines/workflows/:run/artifacts";

const upload = {
  itemPath: textParam("The artifact's name, a slash, and the file's path in it."),
  retentionDays: numberParam("Days that the artifact stays."),
};
const confirming = { artifactName: textParam("The artifact's name.") };
const downloading = { itemPath: textParam("The artifact's name.") };

const done = () => json({ message: "success" });
const md5Of = (name: string) => new Bun.CryptoHasher("md5").update(name).digest("hex");

/** Artifacts as older actions upload and download them, file by file (contract actions.md 7.2). */
export function olderArtifactRoutes(services: Services): Route[] {
  const { artifacts, artifactUploads, links } = services;
  const addressOf = (runId: number, rest: string) =>
    `${links.rootUrl.replace(/\/$/, "")}${PATH.replace(":run", String(runId))}/${rest}`;
  return [
    jobRoute(services, {
      method: "POST",
      path: PATH,
      handle: async (call, job) => {
        const { fields } = await readFields(call, SMALL_BODY_BYTES);
        const given = fields["Name"];
        const name = artifactNameOf(typeof given === "string" ? given : "");
        const days = Number(fields["RetentionDays"] ?? 0);
        const query = Number.isInteger(days) && days > 0 ? `?retentionDays=${days}` : "";
        return json({ fileContainerResourceUrl: addressOf(job.runId, `${md5Of(name)}/upload${query}`) });
      },
    }),
    jobRoute(services, {
      method: "PUT",
      path: `${PATH}/:artifact/upload`,
      handle: async (call, job) => {
        const { headers } = call.request;
        const { itemPath: item, retentionDays: days = 0 } = readQuery(upload, call);
        if (md5Of(itemOf(item).name) !== param(call, "artifact")) throw new BadRequest("actions.artifact-hash");
        const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
        if (encoding !== "" && encoding !== "gzip") throw new BadRequest("actions.artifact-encoding");
        const length = headers.get("x-tfs-filelength");
        await artifactUploads.addPart(job, {
          item,
          range: sentRangeOf(headers.get("content-range") ?? ""),
          contentBytes: length === null ? undefined : lengthOf(length, "x-tfs-filelength"),
          encoding,
          md5: headers.get("x-actions-results-md5") ?? undefined,
          retentionDays: days > 0 ? days : undefined,
          bytes: sentPart(call, artifactUploads.maxBytes),
        });
        return done();
      },
    }),
    jobRoute(services, {
      method: "PATCH",
      path: PATH,
      handle: async (call, job) => {
        call.keepOpen();
        await artifactUploads.confirm(job, readQuery(confirming, call).artifactName);
        return done();
      },
    }),
    jobRoute(services, {
      method: "GET",
      path: PATH,
      handle: (_, job) => {
        const names = [...new Set(artifacts.olderOf(job).map(({ name }) => name))];
        const value = names.map((name) => ({
          name,
          fileContainerResourceUrl: addressOf(job.runId, `${md5Of(name)}/download_url`),
        }));
        return value.length === 0 ? json({ message: "artifact not found" }, 404) : json({ count: value.length, value });
      },
    }),
    jobRoute(services, {
      method: "GET",
      path: `${PATH}/:artifact/download_url`,
      handle: (call, job) => {
        // Clients on Windows use backslashes; some name a directory.
        const asked = readQuery(downloading, call).itemPath.replaceAll("\\", "/").replace(/\/$/, "");
        if (md5Of(asked) !== param(call, "artifact")) throw new BadRequest("actions.artifact-other-name");
        const files = artifacts.olderNamed(job, asked);
        const value = files.map(({ id, name, path }) => ({
          path: `${name}/${path}`,
          itemType: "file",
          contentLocation: addressOf(job.runId, `${id}/download`),
        }));
        return json({ value });
      },
    }),
    jobRoute(services, {
      method: "GET",
      path: `${PATH}/:artifact/download`,
      handle: (call, job) => {
        const found = artifacts.olderFile(job, idParam(call, "artifact"));
        const { file } = artifacts.open(found);
        return new Response(file, {
          headers: {
            "content-type": "application/octet-stream",
            "x-content-type-options": "nosniff",
            ...(found.encoding === "" ? {} : { "content-encoding": found.encoding }),
          },
        });
      },
    }),
  ];
}
