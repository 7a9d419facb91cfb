import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, textOf } from "../../../kernel/json.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { tarEntries } from "../archives/tar.ts";
import { packingOf, unpacked } from "../archives/unpack.ts";
import { urlOf } from "../metadata.ts";
import { semverOf } from "../semver.ts";
import { readYaml } from "../yaml.ts";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,254}$/;
const MAX_PUBSPEC_BYTES = 128 << 10;
const MAX_README_BYTES = 1 << 20;
/** Limit for a pubspec once aliases are expanded. */
const MAX_PUBSPEC_JSON = 1 << 20;

export interface PubPackage {
  readonly name: string;
  readonly version: string;
  readonly metadata: JsonObject;
}

/** @throws BadRequest */
export async function readPubPackage(pool: WorkerPool, file: Blob): Promise<PubPackage> {
  if ((await packingOf(file)) !== "gzip") throw new BadRequest("packages.bad-archive");
  const { pubspec: bytes, readme } = await documentsOf(file);
  if (!bytes) throw new BadRequest("packages.pubspec-missing");
  const pubspec = await readYaml(pool, bytes, "json");
  if (!isObject(pubspec) || JSON.stringify(pubspec).length > MAX_PUBSPEC_JSON)
    throw new BadRequest("packages.pubspec-invalid");
  const name = textOf(pubspec["name"]);
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  const version = semverOf(textOf(pubspec["version"]))?.text;
  if (version === undefined) throw new BadRequest("packages.invalid-version");
  const metadata = {
    description: textOf(pubspec["description"]),
    project_url: urlOf(pubspec["homepage"]),
    repository_url: urlOf(pubspec["repository"]),
    documentation_url: urlOf(pubspec["documentation"]),
    readme: readme ? new TextDecoder().decode(readme) : "",
    pubspec,
  };
  return { name, version, metadata };
}

/** `pubspec.yaml` and `README.md` at the root. */
async function documentsOf(file: Blob) {
  const found: { pubspec?: Uint8Array; readme?: Uint8Array } = {};
  for await (const entry of tarEntries(unpacked(file, "gzip"))) {
    if (!entry.isFile) continue;
    if (entry.name === "pubspec.yaml") {
      if (entry.sizeBytes > MAX_PUBSPEC_BYTES) throw new BadRequest("packages.pubspec-too-large");
      found.pubspec = await entry.read(MAX_PUBSPEC_BYTES);
    } else if (entry.name.toLowerCase() === "readme.md" && entry.sizeBytes <= MAX_README_BYTES) {
      found.readme = await entry.read(MAX_README_BYTES);
    }
  }
  return found;
}
