import { ProtocolError } from "../git/errors.ts";
import type { Oid } from "../git/objects/types.ts";
import { streamOf } from "../git/transport/advertise.ts";
import { BodyTooLarge, BodyUndecodable, inflatedBody } from "../git/transport/body.ts";
import { answerDumb, parseDumbPath } from "../git/transport/dumb.ts";
import { parseService, requestedVersion, type Service } from "../git/transport/protocol.ts";
import { failWhenStalled } from "../git/transport/stall-timeout.ts";
import { MAX_FETCH_BYTES } from "../git/transport/upload/upload-pack.ts";
import type { BodyShare } from "../http/body-memory.ts";
import { type Access, type Call, param, type Route } from "../http/route.ts";
import { BadRequest, NotFound, TooLarge } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import type { GitTarget } from "./access.ts";
import { namedFolder } from "./named-folder.ts";
import { MadeMeanwhile } from "./push-creation.ts";

/** Checked by GitAccess, in git's own order of questions, including the token's scope. */
const access: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

const NO_CACHE = {
  expires: "Fri, 01 Jan 1980 00:00:00 GMT",
  pragma: "no-cache",
  "cache-control": "no-cache, max-age=0, must-revalidate",
};

/** A stalled body is abandoned after this time, and its place freed. */
const STALL_TIMEOUT_MS = 60_000;

/** Git over HTTP: `/{owner}/{repo}[.git]/…` (contract git-content.md section 12). */
export function transportRoutes(services: Services): Route[] {
  const { fetches, gitAccess, pushes, reachability, storage, pool } = services;

  const targetOf = (call: Call, service: Service): GitTarget => {
    const named = namedFolder(param(call, "repo"));
    return gitAccess.target({
      ...named,
      principal: call.principal,
      user: call.principal.user,
      owner: param(call, "owner"),
      service,
      redirect: (owner, name) => {
        const rest = call.target.split("/").slice(3).join("/");
        return `/${encodeURIComponent(owner)}/${encodeURIComponent(name)}${named.ending}/${rest}`;
      },
    });
  };

  const readable = (call: Call) => {
    const target = targetOf(call, "git-upload-pack");
    if (!("folder" in target)) throw new NotFound("git.repository-missing");
    return target.folder;
  };

  const infoRefs = (call: Call): Response => {
    const named = call.query.get("service");
    if (named === null) return dumb(call, "info/refs");
    const service = parseService(named);
    if (!service) throw new BadRequest("git.no-such-service");
    const target = targetOf(call, service);
    const version = requestedVersion(call.request.headers.get("git-protocol"));
    return new Response(streamOf(fetches.advertise(target, service, version, true)), {
      headers: { "content-type": `application/x-${service}-advertisement`, ...NO_CACHE },
    });
  };

  const dumb = (call: Call, path: string): Response => {
    if (path.includes("\\")) throw new BadRequest("request.malformed-path");
    const file = parseDumbPath(path);
    if (!file) throw new NotFound("git.file-missing");
    const folder = readable(call);
    const repoDir = storage.dirOf(folder.id);
    const reach = {
      has: (oid: Oid) => reachability.has(folder.id, oid),
      packs: () => reachability.packs(folder.id),
    };
    const answer = answerDumb(repoDir, file, fetches.sourceOf(folder), reach, storage.objects(folder.id));
    if (!answer) throw new NotFound("git.file-missing");
    const headers: Record<string, string> = {
      "content-type": answer.contentType,
      ...(answer.immutable ? { "cache-control": "private, max-age=31536000, immutable" } : NO_CACHE),
    };
    if ("bytes" in answer.content) return new Response(answer.content.bytes as Uint8Array<ArrayBuffer>, { headers });
    if ("path" in answer.content) return new Response(Bun.file(answer.content.path), { headers });
    const job = pool.start("git.blobStream", { repoDir, oid: answer.content.oid });
    job.end();
    return new Response(deflated(answer.content.head, job.output), { headers });
  };

  const bodyOf = (call: Call, service: Service, maxBytes: number): AsyncIterable<Uint8Array> => {
    if (call.request.headers.get("content-type") !== `application/x-${service}-request`)
      throw new BadRequest("git.wrong-content-type");
    // Processing after the body may take long without output; the body itself may not.
    call.keepOpen();
    const body = call.request.body ?? new ReadableStream({ start: (controller) => controller.close() });
    return inflatedBody(
      failWhenStalled(body, STALL_TIMEOUT_MS),
      call.request.headers.get("content-encoding"),
      maxBytes,
    );
  };

  const upload = async (call: Call): Promise<Response> => {
    const folder = readable(call);
    // Read completely before answering: it counts with the other bodies in memory.
    const body = counted(bodyOf(call, "git-upload-pack", MAX_FETCH_BYTES), call.bodyShare);
    const { principal } = call;
    const version = requestedVersion(call.request.headers.get("git-protocol"));
    const { signal } = call.request;
    const answer = await clientMistakes(() => fetches.answer(folder, { principal, version, body, signal }));
    return new Response(answer, { headers: { "content-type": "application/x-git-upload-pack-result", ...NO_CACHE } });
  };

  const receive = async (call: Call): Promise<Response> => {
    const target = targetOf(call, "git-receive-pack");
    const body = bodyOf(call, "git-receive-pack", services.config["git.max_push_mib"] * 2 ** 20 + 2 ** 20);
    const into = (given: GitTarget) =>
      clientMistakes(() =>
        pushes.receive(given, call.principal, { address: call.address, body, signal: call.request.signal }),
      );
    const answer = await into(target).catch((error) => {
      if (error instanceof MadeMeanwhile) return into(targetOf(call, "git-receive-pack"));
      throw error;
    });
    return new Response(answer, { headers: { "content-type": "application/x-git-receive-pack-result", ...NO_CACHE } });
  };

  const route = (
    method: "GET" | "POST",
    path: string,
    handle: (call: Call) => Response | Promise<Response>,
  ): Route => ({ method, path: `/:owner/:repo/${path}`, surface: "git", access, handle });
  return [
    route("GET", "info/refs", infoRefs),
    route("POST", "git-upload-pack", upload),
    route("POST", "git-receive-pack", receive),
    route("GET", "HEAD", (call) => dumb(call, "HEAD")),
    route("GET", "objects/*", (call) => dumb(call, `objects/${param(call, "*")}`)),
  ];
}

/** The zlib stream of a loose object. */
function deflated(head: Uint8Array, content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const whole = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new Uint8Array(head)),
    transform: (piece, controller) => controller.enqueue(new Uint8Array(piece)),
  });
  return content.pipeThrough(whole).pipeThrough(new CompressionStream("deflate"));
}

/** @throws Overloaded no memory for the next chunk */
async function* counted(pieces: AsyncIterable<Uint8Array>, share: BodyShare): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    share.take(piece.byteLength);
    yield piece;
  }
}

/** A malformed or too long body is the client's mistake: 400 or 413, not a server error. */
async function clientMistakes<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new TooLarge(error.message);
    if (error instanceof BodyUndecodable || error instanceof ProtocolError) throw new BadRequest(error.message);
    throw error;
  }
}
