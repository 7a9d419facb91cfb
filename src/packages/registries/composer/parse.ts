import { parseJson } from "../../../http/json.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, textOf } from "../../../kernel/json.ts";
import { readFirst } from "../archives/tar.ts";
import { packingOf, unpacked } from "../archives/unpack.ts";
import { readFirstOfZip } from "../archives/zip.ts";
import { textsOf, urlOf } from "../metadata.ts";
import { semverOf } from "../semver.ts";

const NAME = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*\/[a-z0-9]+(?:(?:[_.]|-{1,2})[a-z0-9]+)*$/;
const MAX_DOCUMENT_BYTES = 10 << 20;
const MAX_README_BYTES = 10 << 10;

/** Fields of a package that Composer reads, besides descriptive ones. */
const DECLARED = ["autoload", "autoload-dev", "extra", "require", "require-dev", "suggest", "provide"] as const;

export interface ComposerPackage {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly ending: ".zip" | ".tar.gz" | ".tar.bz2";
  readonly metadata: JsonObject;
}

/** @param given the version to use if the package states none @throws BadRequest */
export async function readComposerPackage(file: Blob, given: string): Promise<ComposerPackage> {
  const packing = await packingOf(file);
  const ending =
    packing === "zip" ? ".zip" : packing === "gzip" ? ".tar.gz" : packing === "bzip2" ? ".tar.bz2" : undefined;
  if (ending === undefined) throw new BadRequest("packages.composer-not-packed");
  const read = (isWanted: (name: string) => boolean, maxBytes: number) =>
    packing === "zip"
      ? readFirstOfZip(file, isWanted, maxBytes)
      : readFirst(unpacked(file, packing), isWanted, maxBytes);
  const bytes = await read((name) => name.toLowerCase() === "composer.json", MAX_DOCUMENT_BYTES);
  if (!bytes) throw new BadRequest("packages.composer-missing");
  const parsed = parseJson(bytes);
  if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.bad-archive");
  const sent = parsed.value;
  const name = textOf(sent["name"]);
  if (name.length > 255 || !NAME.test(name)) throw new BadRequest("packages.invalid-name");
  const version = semverOf(textOf(sent["version"]) || given)?.text;
  if (version === undefined) throw new BadRequest("packages.invalid-version");
  const readme = textOf(sent["readme"]) || "README.md";
  const text = await read((path) => path === readme, MAX_README_BYTES).catch(() => undefined);
  return { name, version, type: textOf(sent["type"]) || "library", ending, metadata: metadataOf(sent, text) };
}

function metadataOf(sent: JsonObject, readme: Uint8Array | undefined): JsonObject {
  return {
    description: textOf(sent["description"]),
    readme: readme ? new TextDecoder().decode(readme) : "",
    keywords: textsOf(sent["keywords"]),
    _comment: textsOf(sent["_comment"]),
    homepage: urlOf(sent["homepage"]),
    license: textsOf(sent["license"]),
    authors: (Array.isArray(sent["authors"]) ? sent["authors"] : []).filter(isObject),
    bin: textsOf(sent["bin"]),
    ...Object.fromEntries(DECLARED.flatMap((key) => (isObject(sent[key]) ? [[key, sent[key]]] : []))),
  };
}
