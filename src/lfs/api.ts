import { sentBody } from "../http/body.ts";
import { disabled } from "../http/disabled.ts";
import { type Call, param, type Route } from "../http/route.ts";
import { BadRequest, Failure, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { LFS_TYPE, lfsJson } from "./answers.ts";
import { batchAnswer, readBatch, readPointer } from "./batch.ts";
import { objectAnswer } from "./download.ts";
import { lockRoutes } from "./locks/api.ts";
import { lfsFields, lfsRepo, lfsRoute } from "./routes.ts";
import { lfsAddress } from "./service.ts";
import { checkOid, checkPointer } from "./values.ts";

/** Large files over HTTP (contract git-content.md 16). */
export function lfsRoutes(services: Services): Route[] {
  const routes = [...objectRoutes(services), ...lockRoutes(services)];
  return services.config["lfs.enabled"] ? routes : disabled(routes);
}

function objectRoutes(services: Services): Route[] {
  const { config, lfs, lfsUploads, links } = services;
  const maxBytes = config["lfs.max_object_mib"] * 2 ** 20;
  const maxObjects = config["lfs.max_batch_objects"];

  const batch = async (call: Call): Promise<Response> => {
    // Callers who may not even read it learn nothing about problems in the request.
    const before = lfsRepo(services, call, "read", "lfs.no-pull");
    const request = readBatch(await lfsFields(call));
    services.lfsAccess.still(before, "read", "lfs.no-pull");
    const seen =
      request.operation === "upload"
        ? lfsRepo(services, call, "write", "lfs.no-push")
        : lfsRepo(services, call, "read", "lfs.no-pull");
    if (maxObjects > 0 && request.objects.length > maxObjects)
      throw new Failure(413, "lfs.batch-too-large", { params: { max: maxObjects } });
    const name = param(call, "repo").replace(/\.git$/i, "");
    const objects = batchAnswer(lfs, seen, request, {
      base: lfsAddress(links, param(call, "owner"), name),
      authorization: call.request.headers.get("authorization"),
      maxBytes,
    });
    return lfsJson({ transfer: "basic", objects });
  };

  const download = (call: Call, name = ""): Response => {
    const seen = lfsRepo(services, call, "read", "lfs.no-pull");
    const body = lfs.open(lfs.get(seen, checkOid(param(call, "oid"))));
    if (!body) throw new NotFound();
    return objectAnswer(call, body, name);
  };

  const upload = async (call: Call): Promise<Response> => {
    const seen = lfsRepo(services, call, "write", "lfs.no-push");
    const size = param(call, "rest");
    const pointer = checkPointer({ oid: param(call, "oid"), sizeBytes: /^\d{1,15}$/.test(size) ? Number(size) : -1 });
    const announced = call.request.headers.get("content-length");
    if (announced !== null && Number(announced) !== pointer.sizeBytes) throw new ValidationFailed("lfs.wrong-size");
    call.keepOpen();
    await lfsUploads.receive(seen, {
      pointer,
      bytes: sentBody(call, pointer.sizeBytes),
      address: call.address,
      signal: call.request.signal,
    });
    return new Response(null, { headers: { "content-type": LFS_TYPE } });
  };

  const verify = async (call: Call): Promise<Response> => {
    const before = lfsRepo(services, call, "write", "lfs.no-push");
    const { oid, sizeBytes } = checkPointer(await pointerOf(call));
    const seen = services.lfsAccess.still(before, "write", "lfs.no-push");
    const found = lfs.find(seen, oid);
    if (found?.sizeBytes !== sizeBytes || !lfs.isStored(found)) throw new NotFound();
    return new Response(null, { headers: { "content-type": LFS_TYPE } });
  };

  return [
    lfsRoute({ method: "POST", path: "objects/batch", handle: batch }),
    lfsRoute({ method: "PUT", path: "objects/:oid/:rest", isTransfer: true, handle: upload }),
    lfsRoute({ method: "GET", path: "objects/:oid", isTransfer: true, handle: (call) => download(call) }),
    lfsRoute({
      method: "GET",
      path: "objects/:oid/:rest",
      isTransfer: true,
      handle: (call) => download(call, decodedName(param(call, "rest"))),
    }),
    lfsRoute({ method: "POST", path: "verify", handle: verify }),
  ];
}

/** @throws ValidationFailed the body names no object (contract git-content.md 16.4) */
async function pointerOf(call: Call) {
  try {
    return readPointer(await lfsFields(call));
  } catch (error) {
    throw error instanceof BadRequest ? new ValidationFailed("lfs.bad-pointer") : error;
  }
}

/** The file name in base64url from an address; empty if it is not one. */
function decodedName(given: string): string {
  if (!/^[\w-]{1,1024}$/.test(given)) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(given, "base64url"));
  } catch {
    return "";
  }
}
