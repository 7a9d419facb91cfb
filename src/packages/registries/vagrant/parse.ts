import { parseJson } from "../../../http/json.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, textOf } from "../../../kernel/json.ts";
import { readFirst } from "../archives/tar.ts";
import { packingOf, unpacked } from "../archives/unpack.ts";
import { compact, urlOf } from "../metadata.ts";

const MAX_INFO_BYTES = 1 << 20;
/** A box's description comes after its disks. */
const MAX_BOX_BYTES = 2 ** 35;

/** The contents of a box's optional `info.json`. @throws BadRequest if it is no box */
export async function readBox(file: Blob): Promise<JsonObject> {
  const packing = await packingOf(file);
  if (packing !== "gzip") throw new BadRequest("packages.bad-archive");
  const bytes = await readFirst(unpacked(file, packing, MAX_BOX_BYTES), (name) => name === "info.json", MAX_INFO_BYTES);
  if (!bytes) return {};
  const parsed = parseJson(bytes);
  if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.bad-archive");
  const info = new Map(Object.entries(parsed.value).map(([key, value]) => [key.toLowerCase(), textOf(value)]));
  const first = (...keys: readonly string[]) => keys.map((key) => info.get(key)).find((text) => text) ?? "";
  return compact({
    author: first("author", "authors"),
    description: first("description", "short_description"),
    project_url: urlOf(first("website", "homepage", "url")),
    repository_url: urlOf(first("repository", "source")),
  });
}
