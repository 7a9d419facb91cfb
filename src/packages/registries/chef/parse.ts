import { parseJson } from "../../../http/json.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, textOf } from "../../../kernel/json.ts";
import { readFirst } from "../archives/tar.ts";
import { packingOf, unpacked } from "../archives/unpack.ts";
import { textMapOf, urlOf } from "../metadata.ts";

const NAME = /^\S{1,250}$/;
const VERSION = /^\d{1,15}\.\d{1,15}(\.\d{1,15})?$/;
const MAX_METADATA_BYTES = 4 << 20;

export interface Cookbook {
  readonly name: string;
  readonly version: string;
  readonly metadata: JsonObject;
}

/** `metadata.json` one directory below the root of a gzipped tar. @throws BadRequest */
export async function readCookbook(file: Blob): Promise<Cookbook> {
  const packing = await packingOf(file);
  if (packing !== "gzip") throw new BadRequest("packages.bad-archive");
  const isWanted = (path: string) => /^[^/]+\/metadata\.json$/.test(path);
  const bytes = await readFirst(unpacked(file, packing), isWanted, MAX_METADATA_BYTES);
  if (!bytes) throw new BadRequest("packages.chef-missing");
  const parsed = parseJson(bytes);
  if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.bad-archive");
  const sent = parsed.value;
  const [name, version] = [textOf(sent["name"]), textOf(sent["version"])];
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  if (!VERSION.test(version)) throw new BadRequest("packages.invalid-version");
  return {
    name,
    version,
    metadata: {
      description: textOf(sent["description"]),
      long_description: textOf(sent["long_description"]),
      maintainer: textOf(sent["maintainer"]),
      license: textOf(sent["license"]),
      source_url: urlOf(sent["source_url"]),
      dependencies: textMapOf(sent["dependencies"]),
    },
  };
}
