import { BadRequest } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { ContentHashes } from "../../types.ts";
import { textMapOf, textsOf, urlOf } from "../metadata.ts";
import { semverOf } from "../semver.ts";

const NAME = /^(@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/;
const MAX_NAME = 214;

/** The version that a document publishes. */
export interface NpmPublication {
  readonly name: string;
  readonly version: string;
  /** The tarball's file name. */
  readonly file: string;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  /** The URL of its repository as written; empty if none. */
  readonly repositoryUrl: string;
}

/** @throws BadRequest if something is missing or invalid, with the contract's message (packages.md 9.2) */
export function publicationOf(document: JsonObject, tarball: ContentHashes | undefined): NpmPublication {
  const versions = Object.values(objectOf(document["versions"]));
  const sent = objectOf(versions[0]);
  if (versions.length === 0) throw new BadRequest("packages.npm-invalid");
  const name = textOf(sent["name"]).trim() || textOf(document["name"]).trim();
  if (name.length > MAX_NAME || !NAME.test(name)) throw new BadRequest("packages.invalid-name");
  const version = semverOf(textOf(sent["version"]))?.text;
  if (version === undefined) throw new BadRequest("packages.invalid-version");
  if (!tarball) throw new BadRequest("packages.npm-attachment");
  requireIntegrity(textOf(objectOf(sent["dist"])["integrity"]), tarball);
  const short = name.replace(/^@[^/]+\//, "");
  const repository = repositoryOf(sent["repository"]);
  const tags = Object.keys(objectOf(document["dist-tags"]));
  for (const tag of tags) requireTag(tag);
  return {
    name,
    version,
    file: `${short}-${version}.tgz`.toLowerCase(),
    tags,
    repositoryUrl: textOf(repository["url"]),
    metadata: {
      scope: name === short ? "" : name.slice(0, name.indexOf("/")),
      name: short,
      description: textOf(sent["description"]),
      author: textOf(sent["author"]) || textOf(objectOf(sent["author"])["name"]),
      license: textOf(sent["license"]) || textOf(objectOf(sent["license"])["type"]),
      project_url: urlOf(sent["homepage"]),
      keywords: textsOf(sent["keywords"]),
      dependencies: textMapOf(sent["dependencies"]),
      bundleDependencies: textsOf(sent["bundleDependencies"] ?? sent["bundledDependencies"]),
      development_dependencies: textMapOf(sent["devDependencies"]),
      peer_dependencies: textMapOf(sent["peerDependencies"]),
      peer_dependencies_meta: objectOf(sent["peerDependenciesMeta"]),
      optional_dependencies: textMapOf(sent["optionalDependencies"]),
      bin: typeof sent["bin"] === "string" ? { [short]: sent["bin"] } : textMapOf(sent["bin"]),
      os: textsOf(sent["os"]),
      cpu: textsOf(sent["cpu"]),
      engines: textMapOf(sent["engines"]),
      has_install_script: hasInstallScript(sent),
      readme: textOf(sent["readme"]) || textOf(document["readme"]),
      repository,
    },
  };
}

/** @throws BadRequest if it is empty, or a version, which would be ambiguous */
export function requireTag(tag: string): void {
  if (tag.trim() === "" || tag.length > 255 || semverOf(tag)) throw new BadRequest("packages.npm-tag");
}

function requireIntegrity(integrity: string, { sha1, sha512 }: ContentHashes): void {
  const [, algorithm, sum = ""] = /^(sha1|sha512)-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? [];
  const real = algorithm === "sha1" ? sha1 : sha512;
  if (algorithm === undefined || Buffer.from(sum, "base64").toString("hex") !== real)
    throw new BadRequest("packages.npm-integrity");
}

function repositoryOf(value: unknown): JsonObject {
  if (typeof value === "string") return { type: "", url: value };
  const { directory, type, url } = objectOf(value);
  return { type: textOf(type), url: textOf(url), directory: textOf(directory) };
}

function hasInstallScript(sent: JsonObject): boolean {
  const scripts = objectOf(sent["scripts"]);
  return ["preinstall", "install", "postinstall"].some((name) => textOf(scripts[name]) !== "");
}
