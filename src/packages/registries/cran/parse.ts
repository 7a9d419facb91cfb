import { BadRequest } from "../../../kernel/errors.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { readFirst } from "../archives/tar.ts";
import { packingOf, unpacked } from "../archives/unpack.ts";
import { readFirstOfZip } from "../archives/zip.ts";
import { urlOf } from "../metadata.ts";

const NAME = /^[a-zA-Z][a-zA-Z0-9.]{0,248}[a-zA-Z0-9]$/;
const VERSION = /^\d{1,15}([.-]\d{1,15}){1,9}$/;
const MAX_DESCRIPTION_BYTES = 1 << 20;

export interface CranPackage {
  readonly name: string;
  readonly version: string;
  readonly packing: "gzip" | "zip";
  readonly metadata: JsonObject;
}

/** `DESCRIPTION` at the root or one directory below it, in a gzipped tar or a zip. @throws BadRequest */
export async function readCranPackage(file: Blob): Promise<CranPackage> {
  const packing = await packingOf(file);
  if (packing !== "gzip" && packing !== "zip") throw new BadRequest("packages.bad-archive");
  const isWanted = (path: string) => /^(?:[^/]+\/)?DESCRIPTION$/.test(path);
  const bytes = await (packing === "zip"
    ? readFirstOfZip(file, isWanted, MAX_DESCRIPTION_BYTES)
    : readFirst(unpacked(file, packing), isWanted, MAX_DESCRIPTION_BYTES));
  if (!bytes) throw new BadRequest("packages.cran-missing");
  const fields = fieldsOf(new TextDecoder().decode(bytes));
  const text = (name: string) => fields.get(name) ?? "";
  const [name, version] = [text("Package"), text("Version")];
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  if (!VERSION.test(version)) throw new BadRequest("packages.invalid-version");
  return {
    name,
    version,
    packing,
    metadata: {
      title: text("Title"),
      description: text("Description"),
      project_url:
        text("URL")
          .split(/[\s,]+/)
          .map(urlOf)
          .find((url) => url !== "") ?? "",
      license: text("License"),
      authors: listOf(withoutAsides(text("Author"))),
      depends: listOf(text("Depends")),
      imports: listOf(text("Imports")),
      suggests: listOf(text("Suggests")),
      linking_to: listOf(text("LinkingTo")),
      needs_compilation: text("NeedsCompilation") === "yes",
    },
  };
}

/** Parses `Field: value`, with continuation lines that begin with a blank; the first field of a name counts. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let parts: string[] = [];
  let name: string | undefined;
  const end = () => {
    if (name !== undefined && !fields.has(name)) fields.set(name, parts.filter((part) => part !== "").join(" "));
  };
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) {
      parts.push(oneLine(line));
      continue;
    }
    end();
    const colon = line.indexOf(":");
    name = colon > 0 ? line.slice(0, colon) : undefined;
    parts = [oneLine(line.slice(colon + 1))];
  }
  end();
  return fields;
}

/** The index has one line per value. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, " ").trim();

const listOf = (text: string) => text.split(",").flatMap((each) => each.trim() || []);

/** Removes brackets, including nested ones, which hold authors' roles and affiliations. */
function withoutAsides(text: string): string {
  let depth = 0;
  let rest = "";
  for (const character of text) {
    if (character === "(" || character === "[") depth++;
    if (depth === 0) rest += character;
    if ((character === ")" || character === "]") && depth > 0) depth--;
  }
  return rest.replace(/ +/g, " ").replace(/ ,/g, ",");
}
