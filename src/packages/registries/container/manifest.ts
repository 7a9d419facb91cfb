import { BadRequest, Failure } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import { textMapOf } from "../metadata.ts";

/** Manifests of the OCI image specification and of Docker (contract packages.md 9.3). */

const IMAGES = new Set([
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
]);
const INDEXES = new Set([
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
]);
const HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json";

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly platform: string;
}

export interface Manifest {
  readonly mediaType: string;
  /** Of an image; an index has none. */
  readonly config: Descriptor | undefined;
  readonly layers: readonly Descriptor[];
  /** The images of an index. */
  readonly children: readonly Descriptor[];
  /** The digest of the manifest it refers to; undefined if none. */
  readonly subject: string | undefined;
  readonly artifactType: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const invalid = () => new BadRequest("packages.manifest-invalid");

export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);
/** Of any algorithm. */
export const looksLikeDigest = (text: string): boolean =>
  /^[A-Za-z0-9]+([+._-][A-Za-z0-9]+)*:[0-9a-fA-F]{32,}$/.test(text);

/** @param contentType of the request @throws BadRequest; Failure 501 for another schema version */
export function manifestOf(document: unknown, contentType: string): Manifest {
  const read = objectOf(document);
  if (read["schemaVersion"] !== 2) throw new Failure(501, "packages.manifest-schema");
  const mediaType = mediaTypeOf(read, contentType);
  const isImage = IMAGES.has(mediaType);
  if (!isImage && !INDEXES.has(mediaType)) throw invalid();
  const config = isImage ? descriptorOf(read["config"]) : undefined;
  const children = isImage ? [] : listOf(read["manifests"]);
  if (children.some((child) => !IMAGES.has(child.mediaType))) throw invalid();
  const subject = textOf(objectOf(read["subject"])["digest"]);
  return {
    mediaType,
    config,
    layers: isImage ? listOf(read["layers"]) : [],
    children,
    subject: subject === "" ? undefined : subject,
    artifactType: textOf(read["artifactType"]) || (config?.mediaType ?? ""),
    annotations: textMapOf(read["annotations"]),
  };
}

function mediaTypeOf(read: JsonObject, contentType: string): string {
  const sent = contentType.split(";")[0]?.trim() ?? "";
  if (/^application\/vnd\.(docker|oci)\./.test(sent)) return sent;
  const own = textOf(read["mediaType"]);
  if (own === "") throw new BadRequest("packages.manifest-media-type");
  return own;
}

function listOf(value: unknown): Descriptor[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid();
  return value.map(descriptorOf);
}

function descriptorOf(value: unknown): Descriptor {
  const { digest, mediaType, platform, size } = objectOf(value);
  if (typeof digest !== "string" || typeof size !== "number" || !Number.isSafeInteger(size)) throw invalid();
  return { mediaType: textOf(mediaType), digest, sizeBytes: size, platform: platformOf(objectOf(platform)) };
}

function platformOf(read: JsonObject): string {
  const { architecture, os, variant } = read;
  return [textOf(os), textOf(architecture), textOf(variant)].filter((part) => part !== "").join("/");
}

/** The metadata of an image, from its config. @param config undefined if it could not be read */
export function imageMetadata(manifest: Pick<Manifest, "config">, config: unknown): JsonObject {
  const read = objectOf(config);
  if (manifest.config?.mediaType === HELM_CONFIG) return helmMetadata(read);
  const labels = textMapOf(objectOf(read["config"])["Labels"]);
  const label = (name: string) => labels[`org.opencontainers.image.${name}`] ?? "";
  const history = Array.isArray(read["history"]) ? read["history"] : [];
  return {
    type: "oci",
    platform: config === undefined ? "unknown/unknown" : platformOf(read) || "linux/amd64",
    description: label("description"),
    authors: label("authors") === "" ? [] : [label("authors")],
    license: label("licenses"),
    project_url: label("url"),
    repository_url: label("source"),
    documentation_url: label("documentation"),
    labels,
    layer_creation: history
      .map((step) =>
        textOf(objectOf(step)["created_by"])
          .replace(/^.*?#\(nop\) /s, "")
          .trim(),
      )
      .filter((step) => step !== ""),
  };
}

function helmMetadata(chart: JsonObject): JsonObject {
  const [source] = Array.isArray(chart["sources"]) ? chart["sources"] : [];
  const maintainers = Array.isArray(chart["maintainers"]) ? chart["maintainers"] : [];
  return {
    type: "helm",
    description: textOf(chart["description"]),
    project_url: textOf(chart["home"]),
    repository_url: textOf(source),
    authors: maintainers.map((each) => textOf(objectOf(each)["name"])).filter((name) => name !== ""),
  };
}
