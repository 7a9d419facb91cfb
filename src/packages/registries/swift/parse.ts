import { parseJson } from "../../../http/json.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import { readZipEntry, type ZipEntry, zipEntries } from "../archives/zip.ts";
import { textsOf, urlOf } from "../metadata.ts";

const MANIFEST = "Package.swift";
const MAX_MANIFEST_BYTES = 128 << 10;
const MAX_VARIANTS = 32;
const MAX_ADDRESSES = 100;

/** A package manifest for one version of Swift. */
export type Manifest = { readonly content: string; readonly tools_version: string };

/** Manifests by the Swift version they are for; empty: any. */
export type Manifests = Readonly<Record<string, Manifest>>;

/** Normalises equal versions: `5.6.0` is `5.6`. @returns undefined if it is no version */
export function swiftVersionOf(text: string): string | undefined {
  return /^\d{1,9}(\.\d{1,9}){0,2}$/.test(text) ? text.replace(/(\.0)+$/, "") : undefined;
}

/** The `Package.swift` nearest to the root, and its variants for other versions. @throws BadRequest */
export async function readManifests(file: Blob): Promise<Manifests> {
  const entries = await zipEntries(file);
  const depth = ({ name }: ZipEntry) => name.split("/").length;
  const [main] = entries
    .filter(({ name }) => name === MANIFEST || name.endsWith(`/${MANIFEST}`))
    .toSorted((a, b) => depth(a) - depth(b));
  if (!main) throw new BadRequest("packages.swift-missing");
  const folder = main.name.slice(0, -MANIFEST.length);
  const manifests: Record<string, Manifest> = { "": await readManifest(file, main) };
  for (const entry of entries) {
    const [, variant] = /^Package@swift-([^/]*)\.swift$/.exec(entry.name.slice(folder.length)) ?? [];
    if (variant === undefined || !entry.name.startsWith(folder)) continue;
    const version = swiftVersionOf(variant);
    if (version === undefined || Object.keys(manifests).length > MAX_VARIANTS)
      throw new BadRequest("packages.swift-manifest");
    manifests[version] = await readManifest(file, entry);
  }
  return manifests;
}

async function readManifest(file: Blob, entry: ZipEntry): Promise<Manifest> {
  if (entry.sizeBytes > MAX_MANIFEST_BYTES) throw new BadRequest("packages.swift-too-large");
  const content = new TextDecoder().decode(await readZipEntry(file, entry, MAX_MANIFEST_BYTES));
  const [, tools = ""] = /^\s*\/\/\s*swift-tools-version\s*:\s*(\d{1,9}(?:\.\d{1,9}){0,2})/i.exec(content) ?? [];
  return { content, tools_version: tools };
}

export interface SwiftMetadata {
  readonly metadata: JsonObject;
  /** URLs of the package's repository, in all spellings. */
  readonly repositoryUrls: readonly string[];
}

/** @param sent JSON; empty if there is none @throws BadRequest */
export function readMetadata(sent: Uint8Array): SwiftMetadata {
  const parsed = sent.byteLength === 0 ? { value: {} } : parseJson(sent);
  if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.swift-metadata");
  const given = parsed.value;
  const author = objectOf(given["author"]);
  const person = ["name", "givenName", "middleName", "familyName"].flatMap((key) => {
    const text = textOf(author[key]);
    return text === "" ? [] : [[key, text]];
  });
  return {
    metadata: {
      description: textOf(given["description"]),
      keywords: textsOf(given["keywords"]),
      repository_url: urlOf(given["codeRepository"]),
      license: textOf(given["license"]),
      license_url: urlOf(given["licenseURL"]),
      author: Object.fromEntries(person),
    },
    repositoryUrls: [...new Set(textsOf(given["repositoryURLs"]))].slice(0, MAX_ADDRESSES),
  };
}
