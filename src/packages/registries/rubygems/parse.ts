import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { readFirst } from "../archives/tar.ts";
import { unpacked } from "../archives/unpack.ts";
import { textsOf, urlOf } from "../metadata.ts";
import { readYaml } from "../yaml.ts";

const NAME = /^[\w.-]+$/;
const VERSION = /^[0-9]+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const MAX_PACKED_BYTES = 4 << 20;
const MAX_METADATA_BYTES = 16 << 20;

const inflate = promisify(gunzip) as (
  packed: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Uint8Array>;

export interface Gem {
  readonly name: string;
  readonly version: string;
  readonly platform: string;
  readonly metadata: JsonObject;
}

/** `metadata.gz` in a tar. @throws BadRequest */
export async function readGem(pool: WorkerPool, file: Blob): Promise<Gem> {
  const packed = await readFirst(unpacked(file, "none"), (name) => name === "metadata.gz", MAX_PACKED_BYTES);
  if (!packed) throw new BadRequest("packages.gem-missing");
  let text: Uint8Array;
  try {
    text = await inflate(packed, { maxOutputLength: MAX_METADATA_BYTES });
  } catch {
    throw new BadRequest("packages.bad-archive");
  }
  const read = await readYaml(pool, text);
  if (!isObject(read)) throw new BadRequest("packages.bad-archive");
  const name = textOf(read["name"]);
  if (!NAME.test(name) || name.length > 250) throw new BadRequest("packages.invalid-name");
  const version = textOf(objectOf(read["version"])["version"]);
  if (!VERSION.test(version) || version.length > 100) throw new BadRequest("packages.invalid-version");
  const platform = textOf(read["platform"]) || "ruby";
  if (!NAME.test(platform) || platform.length > 100) throw new BadRequest("packages.bad-archive");
  const dependencies = (Array.isArray(read["dependencies"]) ? read["dependencies"] : []).map(objectOf);
  const ofType = (isRuntime: boolean) =>
    dependencies
      .filter(({ type }) => (textOf(type) === ":runtime") === isRuntime)
      .map(({ name: of, requirement, version_requirements: older }) => ({
        name: textOf(of),
        version: requirementsOf(requirement ?? older),
      }))
      .filter((each) => NAME.test(each.name));
  return {
    name,
    version,
    platform,
    metadata: {
      platform,
      description: textOf(read["description"]),
      summary: textOf(read["summary"]),
      authors: textsOf(read["authors"]),
      licenses: textsOf(read["licenses"]),
      project_url: urlOf(read["homepage"]),
      required_ruby_version: requirementsOf(read["required_ruby_version"]),
      required_rubygems_version: requirementsOf(read["required_rubygems_version"]),
      runtime_dependencies: ofType(true),
      development_dependencies: ofType(false),
    },
  };
}

/** Pairs of an operator and a version. */
function requirementsOf(value: unknown): { restriction: string; version: string }[] {
  const { requirements } = objectOf(value);
  if (!Array.isArray(requirements)) return [];
  return requirements.flatMap((pair) => {
    if (!Array.isArray(pair)) return [];
    const [restriction, version] = [textOf(pair[0]), textOf(objectOf(pair[1])["version"])];
    return /^(=|!=|>|<|>=|<=|~>)$/.test(restriction) && VERSION.test(version) ? [{ restriction, version }] : [];
  });
}
