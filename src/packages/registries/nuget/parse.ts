import { BadRequest } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { readZipEntry, type ZipEntry, zipEntries } from "../archives/zip.ts";
import { urlOf } from "../metadata.ts";
import { readXml } from "../xml.ts";
import { innerText, rowsOf } from "../xml-texts.ts";
import { nugetVersionOf } from "./version.ts";

const ID = /^\w+([.-]\w+)*$/;
const MAX_ID = 100;
const MAX_NUSPEC_BYTES = 3 << 20;
const MAX_README_BYTES = 1 << 20;

export interface NugetPackage {
  readonly id: string;
  readonly version: string;
  readonly isSymbols: boolean;
  readonly metadata: JsonObject;
  readonly nuspec: Uint8Array;
  readonly entries: readonly ZipEntry[];
}

/** Parses the `*.nuspec` at the root of a package. @throws BadRequest */
export async function readNugetPackage(pool: WorkerPool, file: Blob): Promise<NugetPackage> {
  const entries = await zipEntries(file);
  const entry = entries.find(({ name }) => /^[^/\\]+\.nuspec$/i.test(name));
  if (!entry) throw new BadRequest("packages.nuspec-missing");
  if (entry.sizeBytes > MAX_NUSPEC_BYTES) throw new BadRequest("packages.nuspec-too-large");
  const nuspec = await readZipEntry(file, entry, MAX_NUSPEC_BYTES);
  const read = await readXml(pool, nuspec);
  if (read === undefined) throw new BadRequest("packages.nuspec-invalid");
  const given = objectOf(objectOf(objectOf(read)["package"])["metadata"]);
  const id = innerText(given["id"]);
  if (id.length > MAX_ID || !ID.test(id)) throw new BadRequest("packages.nuspec-id");
  const version = nugetVersionOf(innerText(given["version"]));
  if (version === undefined) throw new BadRequest("packages.nuspec-version");
  const isSymbols = rowsOf(given["packageTypes"], "packageType").some(
    (type) => textOf(type["@name"]).toLowerCase() === "symbolspackage",
  );
  const readme = await readReadme(file, entries, innerText(given["readme"]));
  return { id, version, isSymbols, metadata: { ...fieldsOf(given), readme }, nuspec, entries };
}

async function readReadme(file: Blob, entries: readonly ZipEntry[], named: string): Promise<string> {
  const path = named.replaceAll("\\", "/").toLowerCase();
  const entry = path === "" ? undefined : entries.find(({ name }) => name.toLowerCase() === path);
  if (!entry || entry.sizeBytes > MAX_README_BYTES) return "";
  return new TextDecoder().decode(await readZipEntry(file, entry, MAX_README_BYTES));
}

function fieldsOf(given: JsonObject): JsonObject {
  const text = (name: string) => innerText(given[name]);
  const flag = (name: string) => text(name).toLowerCase() === "true";
  return {
    title: text("title"),
    summary: text("summary"),
    description: text("description"),
    release_notes: text("releaseNotes"),
    authors: text("authors"),
    owners: text("owners"),
    project_url: urlOf(text("projectUrl")),
    repository_url: urlOf(objectOf(given["repository"])["@url"]),
    license: text("license"),
    license_url: urlOf(text("licenseUrl")),
    icon_url: urlOf(text("iconUrl")),
    tags: text("tags"),
    copyright: text("copyright"),
    language: text("language"),
    min_client_version: textOf(given["@minClientVersion"]),
    require_license_acceptance: flag("requireLicenseAcceptance"),
    development_dependency: flag("developmentDependency"),
    dependency_groups: groupsOf(given["dependencies"]),
  };
}

/** Dependencies grouped by target framework; those outside any group apply to all. */
function groupsOf(dependencies: unknown): JsonObject[] {
  const groups = rowsOf(dependencies, "group").map((group) => ({
    targetFramework: textOf(group["@targetFramework"]),
    dependencies: dependenciesOf(group),
  }));
  const others = dependenciesOf(dependencies);
  return others.length === 0 ? groups : [...groups, { targetFramework: "", dependencies: others }];
}

const dependenciesOf = (parent: unknown) =>
  rowsOf(parent, "dependency")
    .map((each) => ({ id: textOf(each["@id"]), range: textOf(each["@version"]) }))
    .filter(({ id, range }) => id !== "" && range !== "");
