import { parseJson } from "../../../http/json.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { MAX_UNPACKED_BYTES } from "../archives/broken.ts";
import { tarEntries } from "../archives/tar.ts";
import { unpacked } from "../archives/unpack.ts";
import { storedZipEntry, zipEntries } from "../archives/zip.ts";
import { textsOf, urlOf } from "../metadata.ts";

/** File name endings. */
export type CondaEnding = ".conda" | ".tar.bz2";

export interface CondaPackage {
  readonly name: string;
  readonly version: string;
  readonly build: string;
  /** The platform, or `noarch`. */
  readonly subdir: string;
  /** The index entry, without hashes and size. */
  readonly entry: JsonObject;
  readonly metadata: JsonObject;
}

const MAX_JSON_BYTES = 1 << 20;
const INDEX = "info/index.json";
const ABOUT = "info/about.json";

/** An epoch ends with an exclamation mark. */
const VERSION = /^[^-=@#$%^&*:;"'\\|<>?/\s\p{Cc}]{1,255}$/u;
const NAME = /^[^=@#$%^&*:;"'\\|<>?/!\s\p{Cc}\p{Lu}]{1,255}$/u;
const BUILD = /^[^/\\\s\p{Cc}]{0,255}$/u;
const SUBDIR = /^[A-Za-z0-9_-]{1,64}$/;

const broken = () => new BadRequest("packages.conda-structure");

/** @throws BadRequest */
export async function readCondaPackage(pool: WorkerPool, file: Blob, ending: CondaEnding): Promise<CondaPackage> {
  const whole = () => unpacked(file, "bzip2", MAX_UNPACKED_BYTES, pool);
  const { about, index } = await documentsOf(ending === ".conda" ? await infoOf(file) : whole());
  if (!index) throw broken();
  const [name, version] = [textOf(index["name"]), textOf(index["version"])];
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  if (!VERSION.test(version)) throw new BadRequest("packages.invalid-version");
  const [build, subdir] = [textOf(index["build"]), textOf(index["subdir"])];
  if (!BUILD.test(build) || !SUBDIR.test(subdir)) throw broken();
  return { name, version, build, subdir, entry: entryOf(index), metadata: metadataOf(index, about) };
}

/** The archive within the zip that describes the package. @throws BadRequest */
async function infoOf(file: Blob): Promise<AsyncIterable<Uint8Array>> {
  const entry = (await zipEntries(file)).find(({ name }) => /^info-[^/]*\.tar\.zst$/.test(name));
  if (!entry) throw broken();
  return unpacked(await storedZipEntry(file, entry), "zstd");
}

/** The describing files come before all others, or after them. @throws BadRequest */
async function documentsOf(source: AsyncIterable<Uint8Array>): Promise<{ index?: JsonObject; about?: JsonObject }> {
  const found: { index?: JsonObject; about?: JsonObject } = {};
  for await (const { isFile, name, read, sizeBytes } of tarEntries(source)) {
    if (found.index && !name.startsWith("info/")) break;
    if (isFile && name === INDEX) found.index = parsed(await read(MAX_JSON_BYTES));
    if (isFile && name === ABOUT && sizeBytes <= MAX_JSON_BYTES) found.about = parsed(await read(MAX_JSON_BYTES));
    if (found.index && found.about) break;
  }
  return found;
}

function parsed(bytes: Uint8Array): JsonObject {
  const json = parseJson(bytes);
  if ("problem" in json || !isObject(json.value)) throw broken();
  return json.value;
}

const numberOf = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

function entryOf(index: JsonObject): JsonObject {
  const noarch = index["noarch"] === true ? "generic" : textOf(index["noarch"]);
  const [constrains, features] = [textsOf(index["constrains"]), textsOf(index["track_features"]).join(" ")];
  return {
    name: textOf(index["name"]),
    version: textOf(index["version"]),
    ...(noarch === "" ? {} : { noarch }),
    subdir: textOf(index["subdir"]),
    timestamp: numberOf(index["timestamp"]),
    build: textOf(index["build"]),
    build_number: Math.trunc(numberOf(index["build_number"])),
    depends: textsOf(index["depends"]),
    license: textOf(index["license"]),
    license_family: textOf(index["license_family"]),
    ...(constrains.length === 0 ? {} : { constrains }),
    ...(features === "" ? {} : { track_features: features }),
  };
}

function metadataOf(index: JsonObject, about: JsonObject | undefined): JsonObject {
  const said = objectOf(about);
  const address = (name: string) => urlOf(textsOf(said[name])[0]);
  return {
    description: textOf(said["description"]),
    summary: textOf(said["summary"]),
    project_url: address("home"),
    repository_url: address("dev_url"),
    documentation_url: address("doc_url"),
    license: textOf(index["license"]),
    license_family: textOf(index["license_family"]),
  };
}
