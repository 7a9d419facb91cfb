import { type Fields, readBody, readFields, SMALL_BODY_BYTES } from "../../http/body.ts";
import { fileAnswer } from "../../http/file-answer.ts";
import { readQuery, textParam } from "../../http/query.ts";
import { json } from "../../http/respond.ts";
import type { Call, Route } from "../../http/route.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { BadRequest } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { jobRoute, openRoute, sentPart } from "./job-route.ts";
import type { Artifact, AskingJob } from "./types.ts";
import { fileNameOf, lengthOf } from "./values.ts";

const PATH = "/twirp/github.actions.results.api.v1.ArtifactService";
/** Maximum size of a block list. */
const MAX_LIST_BYTES = 16 << 20;

const address = {
  sig: textParam("Proves that the server gave the address out."),
  expires: textParam("When the address expires."),
  artifactName: textParam("The artifact's name."),
  taskID: textParam("Number of the task that it was given to."),
  artifactID: textParam("Number of the artifact."),
};
const part = {
  comp: textParam("What is sent: a block, the list of blocks, or, when absent, the whole."),
  blockid: textParam("What the block is called; absent: it follows those that came."),
};

type SignedEndpoint = "UploadArtifact" | "DownloadArtifact";

/** Artifacts as newer actions upload and download them, as one file (contract actions.md 7.3). */
export function newerArtifactRoutes(services: Services): Route[] {
  return [...methodRoutes(services), ...signedRoutes(services)];
}

function methodRoutes(services: Services): Route[] {
  const { artifacts, artifactSignatures, artifactUploads, links } = services;
  const method = (
    name: string,
    answer: (message: Message, job: AskingJob, call: Call) => object | Promise<object>,
  ): Route =>
    jobRoute(services, {
      method: "POST",
      path: `${PATH}/${name}`,
      handle: async (call, job) => {
        const message = new Message((await readFields(call, SMALL_BODY_BYTES)).fields);
        if (message.text("workflowRunBackendId") !== String(job.runId)) throw new BadRequest("actions.other-run");
        return json(await answer(message, job, call));
      },
    });
  const addressOf = (endpoint: SignedEndpoint, { taskId }: AskingJob, { id, name }: Artifact): string => {
    const { expires, sig } = artifactSignatures.sign([endpoint, name, String(taskId), String(id)]);
    const query = new URLSearchParams({
      sig,
      expires,
      artifactName: name,
      taskID: String(taskId),
      artifactID: String(id),
    });
    return `${links.rootUrl.replace(/\/$/, "")}${PATH}/${endpoint}?${query}`;
  };
  return [
    method("CreateArtifact", (message, job) => {
      const made = artifactUploads.create(job, {
        name: message.text("name"),
        until: message.text("expiresAt"),
        mediaType: message.text("mimeType"),
      });
      return { ok: true, signedUploadUrl: addressOf("UploadArtifact", job, made) };
    }),
    method("FinalizeArtifact", async (message, job, call) => {
      call.keepOpen();
      const { id } = await artifactUploads.finalize(job, {
        name: message.text("name"),
        sizeBytes: lengthOf(message.value("size") ?? 0, "size"),
        sha256: /^sha256:(.*)$/i.exec(message.text("hash"))?.[1]?.toLowerCase(),
      });
      return { ok: true, artifactId: String(id) };
    }),
    method("ListArtifacts", (message, job) => {
      const name = message.text("nameFilter");
      const wanted = message.value("idFilter");
      const id = wanted === undefined ? undefined : lengthOf(wanted, "idFilter");
      const found = artifacts
        .newerOf(job)
        .filter((artifact) => (name === "" || artifact.name === name) && (id === undefined || artifact.id === id));
      return found.length === 0 ? {} : { artifacts: found.map(entryOf) };
    }),
    method("GetSignedArtifactURL", (message, job) => ({
      signedUrl: addressOf("DownloadArtifact", job, artifacts.newerNamed(job, message.text("name"))),
    })),
    method("DeleteArtifact", (message, job) => ({
      ok: true,
      artifactId: String(artifacts.deleteNamed(job, message.text("name")).id),
    })),
  ];
}

const entryOf = ({ createdAt, id, name, runId, sizeBytes }: Artifact) => ({
  workflowRunBackendId: String(runId),
  workflowJobRunBackendId: String(runId),
  databaseId: String(id),
  name,
  size: String(sizeBytes),
  createdAt: rfc3339(createdAt),
});

/** A request in protobuf's JSON form: names in either spelling; unknown fields are ignored. */
class Message {
  constructor(private readonly fields: Fields) {}

  /** undefined if absent. */
  value(name: string): unknown {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return this.fields[name] ?? this.fields[snake] ?? undefined;
  }

  /** Empty if absent. @throws BadRequest if it is not a string */
  text(name: string): string {
    const value = this.value(name) ?? "";
    if (typeof value !== "string") throw new BadRequest("actions.bad-message", { field: name });
    return value;
  }
}

/** Signed addresses that a method issued: they need no other credential. */
function signedRoutes(services: Services): Route[] {
  const { artifacts, artifactSignatures, artifactUploads } = services;
  /** @throws BadRequest if the signature is malformed; Unauthorised; NotFound */
  const signed = (call: Call, endpoint: SignedEndpoint): Artifact => {
    const { artifactID: id, artifactName: name, expires, sig, taskID: task } = readQuery(address, call);
    if (!/^[\w-]*$/.test(sig) || sig.length % 4 === 1) throw new BadRequest("actions.bad-signature");
    artifactSignatures.require([endpoint, name, task, id], { expires, sig });
    return artifacts.signed(Number(id));
  };
  return [
    openRoute(services, {
      method: "PUT",
      path: `${PATH}/UploadArtifact`,
      handle: async (call) => {
        const { id } = signed(call, "UploadArtifact");
        const { blockid, comp: kind } = readQuery(part, call);
        const bytes = () => sentPart(call, artifactUploads.maxBytes);
        if (kind === "blocklist") {
          artifactUploads.arrange(id, blockKeys(await readBody(call, MAX_LIST_BYTES)));
          return json("created", 201);
        }
        if (kind === "") await artifactUploads.addWhole(id, bytes());
        else if (kind === "block") await artifactUploads.addBlock(id, blockid || undefined, bytes());
        else if (kind === "appendBlock") await artifactUploads.addBlock(id, undefined, bytes());
        else throw new BadRequest("actions.artifact-comp", { field: "comp" });
        return json(kind === "" ? "created" : "appended", 201);
      },
    }),
    openRoute(services, {
      method: "GET",
      path: `${PATH}/DownloadArtifact`,
      handle: (call) => artifactAnswer(services, call, signed(call, "DownloadArtifact")),
    }),
  ];
}

/** An artifact's file as a download. @throws NotFound if it has expired */
export function artifactAnswer({ artifacts }: Pick<Services, "artifacts">, call: Call, artifact: Artifact): Response {
  const { blob, file } = artifacts.open(artifact);
  const body = { file, blob: { ...blob, mediaType: artifact.mediaType } };
  return fileAnswer(call, body, { name: fileNameOf(artifact), cacheControl: "private, no-cache" });
}

/** `<BlockList><Latest>id</Latest>…</BlockList>`. @throws BadRequest if it is not one */
function blockKeys(bytes: Uint8Array): string[] {
  const bad = () => new BadRequest("actions.artifact-block-list");
  let parsed: unknown;
  try {
    parsed = Bun.XML.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw bad();
  }
  const list = (parsed as { BlockList?: unknown }).BlockList;
  if (list === "") return [];
  if (typeof list !== "object" || list === null || !("Latest" in list)) throw bad();
  // A single element is not parsed as a list.
  const keys: unknown[] = Array.isArray(list.Latest) ? list.Latest : [list.Latest];
  return keys.map((key) => {
    if (typeof key !== "string") throw bad();
    return key.trim();
  });
}
