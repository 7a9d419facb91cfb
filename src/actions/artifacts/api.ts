import { asks, type ListCall, lists, textParam } from "../../http/query.ts";
import { json, noContent, pageHeaders } from "../../http/respond.ts";
import { type Access, type Call, idParam, param, type Route } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { readsRuns, writesRuns } from "../access.ts";
import { actionsPath } from "../runs/api.ts";
import { artifactAnswer } from "./newer-routes.ts";
import { ArtifactResource, ArtifactsResource, artifactAddress, artifactResource } from "./resource.ts";

/** The signed address itself is the credential. */
const signedAddress: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true, sudo: false };

/** Artifacts of the newer protocol over REST (contract actions.md 8.9). */
export function artifactRoutes(services: Services): Route[] {
  const { artifacts, artifactSignatures, links } = services;
  const api = { surface: "api" } as const;
  const tag = "repository";
  const one = `${actionsPath}/artifacts/:artifact_id`;
  const params = { artifact_id: "Number of the artifact." };
  const missing = { 404: { description: "There is no such artifact in this repository." } };
  const listed = { 200: { description: "Oldest first.", schema: ArtifactsResource } };
  const filter = { name: textParam("Only artifacts with this name.") };
  const list = (call: ListCall, wanted: { readonly name: string; readonly runId?: number }) => {
    const seen = seenRepo(call);
    const { items, total } = artifacts.list(seen, wanted, call.paging);
    const body = { artifacts: items.map((item) => artifactResource(services, seen, item)), total_count: total };
    return json(body, 200, pageHeaders(total, { rootUrl: links.rootUrl, ...call }));
  };
  const found = (call: Call) => artifacts.get(seenRepo(call), idParam(call, "artifact_id"));
  /** The values that the signature covers. */
  const signedOf = (repoId: number, id: number) => ["zip", String(repoId), String(id)];
  return [
    {
      ...api,
      method: "GET",
      path: `${actionsPath}/artifacts`,
      access: readsRuns,
      doc: { id: "getArtifacts", tag, summary: "List the artifacts of a repository", answers: listed },
      ...lists(filter, list),
    },
    {
      ...api,
      method: "GET",
      path: `${actionsPath}/runs/:run/artifacts`,
      access: readsRuns,
      doc: {
        id: "getArtifactsOfRun",
        tag,
        summary: "List the artifacts of a run; empty if there is no such run",
        params: { run: "Number of the run on the site (its `id`)." },
        answers: listed,
      },
      ...lists(filter, (call, { name }) => list(call, { name, runId: idParam(call, "run") })),
    },
    {
      ...api,
      method: "GET",
      path: one,
      access: readsRuns,
      doc: {
        id: "getArtifact",
        tag,
        summary: "Get an artifact",
        params,
        answers: { 200: { description: "The artifact.", schema: ArtifactResource }, ...missing },
      },
      handle: (call) => json(artifactResource(services, seenRepo(call), found(call))),
    },
    {
      ...api,
      method: "DELETE",
      path: one,
      access: writesRuns,
      doc: {
        id: "deleteArtifact",
        tag,
        summary: "Delete an artifact",
        params,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        artifacts.delete(seenRepo(call), idParam(call, "artifact_id"));
        return noContent();
      },
    },
    {
      ...api,
      method: "GET",
      path: `${one}/zip`,
      access: readsRuns,
      doc: {
        id: "downloadArtifact",
        tag,
        summary: "Get the address of an artifact's file, which needs no token and is valid for an hour",
        params,
        answers: { 302: { description: "The address of the file." }, ...missing },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        const artifact = found(call);
        if (artifacts.isOver(artifact)) throw new NotFound("actions.artifact-over");
        const { expires, sig } = artifactSignatures.sign(signedOf(seen.repo.id, artifact.id));
        const location = `${artifactAddress(seen, links, artifact.id)}/zip/raw?sig=${sig}&expires=${expires}`;
        return new Response(null, { status: 302, headers: { location } });
      },
    },
    {
      ...api,
      method: "GET",
      path: `${one}/zip/raw`,
      access: signedAddress,
      doc: {
        id: "downloadArtifactRaw",
        tag,
        summary: "Download an artifact from its temporary address",
        params,
        answers: {
          200: { description: "The file.", mediaType: "application/zip" },
          401: { description: "The address is invalid or has expired." },
          ...missing,
        },
      },
      ...asks(
        { sig: textParam("The signature of the address."), expires: textParam("When the address expires.") },
        (call, signature) => {
          const id = idParam(call, "artifact_id");
          const repo = artifacts.repositoryOf(id);
          // No signed address was ever issued for something that does not exist.
          artifactSignatures.require(signedOf(repo?.id ?? 0, id), signature);
          const isThere =
            repo?.owner === param(call, "owner").toLowerCase() && repo.name === param(call, "repo").toLowerCase();
          if (!isThere) throw new NotFound("actions.no-such-artifact");
          return artifactAnswer(services, call, artifacts.signed(id));
        },
      ),
    },
  ];
}
