import { plain } from "../../../http/respond.ts";
import { type Call, type Method, param, type Route } from "../../../http/route.ts";
import type { Services } from "../../../services.ts";
import type { SeenPackages } from "../../types.ts";
import { jsonRefusal, RegistryKit, type RegistryRoute } from "../kit.ts";
import type { Revision } from "./recipes.ts";
import { type ConanReference, keyOf, referenceOf } from "./reference.ts";
import { ConanRegistry, json, requireUser } from "./registry.ts";

const RECIPE = "/conans/:name/:version/:user/:channel";
const REVISION = `${RECIPE}/revisions/:revision`;
const BINARY = `${REVISION}/packages/:binary`;
const BINARY_REVISION = `${BINARY}/revisions/:binaryRevision`;

const V1_BINARY = `${RECIPE}/packages/:binary`;
const V1_FILES = "/v1/files/:name/:version/:user/:channel/:revision";

const MANIFEST = "conanmanifest.txt";

/** The Conan registry, for both versions of the client protocol (contract packages.md 9.14). */
export function conanRoutes(services: Services): Route[] {
  const kit = new RegistryKit(
    "conan",
    services,
    jsonRefusal((message) => ({ message })),
  );
  const conan = new ConanRegistry(kit);
  return [
    ...["/v1", "/v2"].flatMap((api) => common(kit, conan, api)),
    ...firstProtocol(kit, conan),
    ...secondProtocol(kit, conan),
  ];
}

type Handle = (reference: ConanReference, seen: SeenPackages, call: Call) => Response | Promise<Response>;

/** A route whose path names a recipe, or something in it. */
const routeOf =
  (kit: RegistryKit) =>
  (method: Method, path: string, handle: Handle): Route =>
    kit.route({
      method,
      path,
      level: method === "GET" ? "read" : "write",
      handle: (call, seen) => handle(referenceOf(call), seen, call),
    });

/** Routes of both protocols. */
function common(kit: RegistryKit, conan: ConanRegistry, api: string): Route[] {
  const get = (path: string, handle: RegistryRoute["handle"]) =>
    kit.route({ method: "GET", path: `${api}${path}`, level: "read", handle });
  return [
    get("/ping", () => new Response(null, { headers: { "x-conan-server-capabilities": "revisions" } })),
    forbiddenByScope(get("/users/authenticate", async (call, seen) => plain(await conan.token(call, seen)))),
    forbiddenByScope(
      get("/users/check_credentials", (call, seen) => {
        requireUser(call, seen);
        return plain("");
      }),
    ),
    get("/conans/search", (call, seen) => json({ results: conan.recipes.search(seen, call.query.get("q") ?? "") })),
  ];
}

/** On a 401 the client asks for a password, which does not help callers whose token lacks the scope. */
function forbiddenByScope(route: Route): Route {
  const { refuse } = route;
  return {
    ...route,
    refuse: (failure, message, request) =>
      failure.status === 401 && failure.params["lacks"] === "scope"
        ? plain(`${message}\n`, 403)
        : (refuse?.(failure, message, request) ?? plain(`${message}\n`, failure.status)),
  };
}

/** For clients without revisions: they request the newest, and upload URLs. */
function firstProtocol(kit: RegistryKit, conan: ConanRegistry): Route[] {
  const route = routeOf(kit);
  const both = (method: Method, path: string, handle: Handle) =>
    [RECIPE, V1_BINARY].map((what) => route(method, `/v1${what}${path}`, handle));
  const file = ["/recipe/:file", "/package/:binary/:binaryRevision/:file"].flatMap((path) => [
    route("GET", `${V1_FILES}${path}`, (reference, seen, call) =>
      conan.file(call, seen, reference, param(call, "file")),
    ),
    route("PUT", `${V1_FILES}${path}`, (reference, seen, call) =>
      conan.put(call, seen, reference, param(call, "file")),
    ),
  ]);
  return [
    ...file,
    ...both("GET", "", (reference, seen) => {
      const files = conan.recipes.files(seen, conan.recipes.newest(seen, reference));
      return json(Object.fromEntries(files.map(({ md5, name }) => [name, md5])));
    }),
    ...both("GET", "/digest", (reference, seen) => conan.addresses(seen, reference, ({ name }) => name === MANIFEST)),
    ...both("GET", "/download_urls", (reference, seen) => conan.addresses(seen, reference, () => true)),
    ...both("POST", "/upload_urls", (reference, seen, call) => conan.uploadAddresses(call, seen, reference)),
    route("GET", `/v1${RECIPE}/search`, (reference, seen, call) => conan.binaries(call, seen, reference)),
    route("DELETE", `/v1${RECIPE}`, (reference, seen) => conan.delete(seen, reference, [keyOf(reference)])),
    route("POST", `/v1${RECIPE}/packages/delete`, (reference, seen, call) =>
      conan.deleteBinaries(call, seen, reference),
    ),
    route("POST", `/v1${RECIPE}/remove_files`, (reference, seen, call) => conan.deleteFiles(call, seen, reference)),
  ];
}

function secondProtocol(kit: RegistryKit, conan: ConanRegistry): Route[] {
  const route = routeOf(kit);
  const revisions = [RECIPE, BINARY].flatMap((what) => [
    route("GET", `/v2${what}/latest`, (reference, seen) => json(shown(conan.recipes.latest(seen, reference)))),
    route("GET", `/v2${what}/revisions`, (reference, seen) =>
      json({ revisions: conan.recipes.revisions(seen, reference).map(shown) }),
    ),
  ]);
  const files = [REVISION, BINARY_REVISION].flatMap((what) => [
    route("GET", `/v2${what}/files`, (reference, seen) => {
      const files = conan.recipes.files(seen, reference);
      return json({ files: Object.fromEntries(files.map(({ name }) => [name, null])) });
    }),
    route("GET", `/v2${what}/files/*`, (reference, seen, call) => conan.file(call, seen, reference, restOf(call))),
    route("PUT", `/v2${what}/files/*`, (reference, seen, call) => conan.put(call, seen, reference, restOf(call))),
  ]);
  const deletions = [RECIPE, REVISION, BINARY, BINARY_REVISION].map((what) =>
    route("DELETE", `/v2${what}`, (reference, seen) => conan.delete(seen, reference, [keyOf(reference)])),
  );
  return [
    ...revisions,
    ...files,
    ...deletions,
    route("DELETE", `/v2${REVISION}/packages`, (reference, seen) =>
      conan.delete(seen, reference, [`${keyOf(reference)}|`]),
    ),
    route("GET", `/v2${RECIPE}/search`, (reference, seen, call) =>
      conan.binaries(call, seen, conan.recipes.newest(seen, reference)),
    ),
    route("GET", `/v2${REVISION}/search`, (reference, seen, call) => conan.binaries(call, seen, reference)),
  ];
}

const restOf = (call: Call) => call.params["*"] ?? "";

const shown = ({ at, revision }: Revision) => ({ revision, time: new Date(at).toISOString() });
