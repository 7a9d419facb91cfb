import { parseJson } from "../../../http/json.ts";
import { BadRequest, NotFound } from "../../../kernel/errors.ts";
import type { Services } from "../../../services.ts";
import type { Package, PackageFile, PackageVersion, Property, ReceivedContent, SeenPackages } from "../../types.ts";
import { type Descriptor, imageMetadata, isDigest, type Manifest, manifestOf } from "./manifest.ts";

/** Version holding the blobs that no manifest names yet. */
const UPLOADS = "_upload";
const MANIFEST = "manifest.json";
export const TAGGED = "container.manifest.tagged";
const CHILD = "container.manifest.reference";
const SUBJECT = "container.manifest.subject";
const MEDIA_TYPE = "container.mediatype";
const DIGEST = "container.digest";
const MAX_CONFIG_BYTES = 4 << 20;

const blobName = (digest: string) => digest.replace(":", "_");
const hexOf = (digest: string) => digest.slice("sha256:".length);

/** Images of an account: blobs, manifests and tags (contract packages.md 9.3). */
export class ContainerImages {
  constructor(private readonly services: Services) {}

  private get packages() {
    return this.services.packages;
  }

  find(seen: SeenPackages, image: string): Package {
    const found = this.packages.look(seen, "container", image);
    if (!found) throw new NotFound("packages.image-unknown");
    return found;
  }

  /** A blob of an image; undefined if the image does not have it. */
  blob(seen: SeenPackages, image: string, digest: string): PackageFile | undefined {
    const found = isDigest(digest) ? this.packages.lookAny(seen, "container", image) : undefined;
    if (!found) return undefined;
    const [file] = this.packages.filesHolding(found, hexOf(digest)).filter(({ name }) => name === blobName(digest));
    // If its bytes are gone, it must be uploaded again.
    return file && this.services.packageContents.open(file.sha256) ? file : undefined;
  }

  /** @param also runs in the transaction that adds it */
  addBlob(seen: SeenPackages, image: string, content: ReceivedContent | PackageFile, also?: () => void): void {
    const digest = `sha256:${content.sha256}`;
    this.services.packagePublisher.publish(seen, {
      version: {
        type: "container",
        name: image,
        version: UPLOADS,
        isInternal: true,
      },
      files: [{ name: blobName(digest), compositeKey: digest, content, overwrites: true }],
      ...(also ? { also } : {}),
    });
  }

  deleteBlob(seen: SeenPackages, image: string, digest: string): void {
    const found = this.packages.lookAny(seen, "container", image);
    if (!found) return;
    const files = this.packages.filesHolding(found, hexOf(digest)).filter(({ name }) => name === blobName(digest));
    this.packages.deleteFiles(seen, files);
  }

  /** The manifest of a tag or digest. @throws NotFound */
  manifest(seen: SeenPackages, image: string, reference: string): { file: PackageFile; mediaType: string } {
    const unknown = () => new NotFound("packages.manifest-unknown");
    const found = this.packages.look(seen, "container", image);
    if (!found) throw unknown();
    const version = reference.includes(":") ? undefined : this.packages.versionOf(found, reference);
    const files = version
      ? this.packages.filesOf(version)
      : isDigest(reference)
        ? this.packages.filesHolding(found, hexOf(reference))
        : [];
    const file = files.find(({ name }) => name === MANIFEST);
    if (!file || version?.isInternal) throw unknown();
    const properties = this.packages.propertiesOf("file", [file.id]).get(file.id) ?? [];
    return { file, mediaType: propertyOf(properties, MEDIA_TYPE) };
  }

  /**
   * @param content the stored manifest, with the given `bytes`
   * @returns the manifest
   * @throws in the order of the contract
   */
  async putManifest(
    seen: SeenPackages,
    image: string,
    reference: string,
    { bytes, content, contentType }: { bytes: Uint8Array; content: ReceivedContent; contentType: string },
  ): Promise<Manifest> {
    const parsed = parseJson(bytes);
    if ("problem" in parsed) throw new BadRequest("packages.manifest-invalid");
    const manifest = manifestOf(parsed.value, contentType);
    const isTagged = !reference.includes(":");
    const digest = `sha256:${content.sha256}`;
    if (!isTagged && reference !== digest) throw new BadRequest("packages.digest-invalid");
    const blobs = [...(manifest.config ? [manifest.config] : []), ...manifest.layers].map((descriptor) =>
      this.required(seen, image, descriptor),
    );
    const children = manifest.children.map((child) => this.child(seen, image, child));
    const metadata = { ...(await this.metadataOf(seen, image, manifest, children)), is_tagged: isTagged };
    this.services.packagePublisher.replace(seen, {
      version: {
        type: "container",
        name: image,
        version: isTagged ? reference.toLowerCase() : reference,
        metadata,
        properties: [
          ...(isTagged ? [{ name: TAGGED, value: "" }] : []),
          ...children.map((child) => ({ name: CHILD, value: child.digest })),
          ...(manifest.subject === undefined ? [] : [{ name: SUBJECT, value: manifest.subject }]),
        ],
      },
      files: [
        {
          name: MANIFEST,
          compositeKey: digest,
          isLead: true,
          content,
          properties: [
            { name: MEDIA_TYPE, value: manifest.mediaType },
            { name: DIGEST, value: digest },
          ],
        },
        ...blobs.map(({ descriptor, file }) => ({
          name: file.name,
          compositeKey: descriptor.digest,
          content: file,
          overwrites: true,
          properties: [
            { name: MEDIA_TYPE, value: descriptor.mediaType },
            { name: DIGEST, value: descriptor.digest },
          ],
        })),
      ],
      also: (version) =>
        this.moveOut(
          seen,
          version,
          blobs.map(({ file }) => file),
        ),
    });
    return manifest;
  }

  /** @throws NotFound */
  deleteManifest(seen: SeenPackages, image: string, reference: string): void {
    const unknown = () => new NotFound("packages.manifest-unknown");
    const found = this.packages.look(seen, "container", image);
    if (!found) throw unknown();
    if (!reference.includes(":")) {
      const version = this.packages.versionOf(found, reference);
      if (!version || version.isInternal) throw unknown();
      this.packages.deleteVersion(seen, version);
      return;
    }
    const ids = new Set(
      (isDigest(reference) ? this.packages.filesHolding(found, hexOf(reference)) : [])
        .filter(({ name }) => name === MANIFEST)
        .map(({ versionId }) => versionId),
    );
    if (ids.size === 0) throw unknown();
    this.packages.deleteVersions(
      seen,
      this.packages.versions(found).filter(({ id }) => ids.has(id)),
    );
  }

  /** The tags in order. @throws NotFound */
  tags(seen: SeenPackages, image: string): string[] {
    const versions = this.packages.versions(this.find(seen, image));
    const properties = this.packages.propertiesOf(
      "version",
      versions.map(({ id }) => id),
    );
    return versions
      .filter(({ id }) => properties.get(id)?.some(({ name }) => name === TAGGED))
      .map(({ version }) => version)
      .sort();
  }

  /** Manifests that refer to another one, as descriptors of an index. */
  async referrers(seen: SeenPackages, image: string, digest: string): Promise<object[]> {
    const found = this.packages.look(seen, "container", image);
    if (!found) return [];
    const versions = this.packages.versionsWithProperty(found, SUBJECT, digest);
    const files = this.packages.filesOfEach(versions);
    const seenDigests = new Set<string>();
    const descriptors: object[] = [];
    for (const version of versions) {
      const file = files.get(version.id)?.find(({ name }) => name === MANIFEST);
      if (!file || seenDigests.has(file.sha256)) continue;
      seenDigests.add(file.sha256);
      const text = await this.packages.open(file, false).json();
      const { annotations, artifactType, mediaType } = manifestOf(text, this.mediaTypeOf(file));
      descriptors.push({
        mediaType,
        digest: `sha256:${file.sha256}`,
        size: file.sizeBytes,
        ...(artifactType === "" ? {} : { artifactType }),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      });
    }
    return descriptors;
  }

  private mediaTypeOf({ id }: PackageFile): string {
    return propertyOf(this.packages.propertiesOf("file", [id]).get(id) ?? [], MEDIA_TYPE);
  }

  /** @throws NotFound, BadRequest */
  private required(
    seen: SeenPackages,
    image: string,
    descriptor: Descriptor,
  ): { descriptor: Descriptor; file: PackageFile } {
    const file = this.blob(seen, image, descriptor.digest);
    if (!file) throw new NotFound("packages.blob-unknown");
    if (file.sizeBytes !== descriptor.sizeBytes) throw new BadRequest("packages.blob-size");
    return { descriptor, file };
  }

  /** An image listed in an index. @throws NotFound */
  private child(seen: SeenPackages, image: string, { digest, platform }: Descriptor) {
    try {
      const { file } = this.manifest(seen, image, isDigest(digest) ? digest : "sha256:");
      const version = this.packages.byId(file.versionId);
      const files = version ? this.packages.filesOf(version) : [];
      const sizeBytes = files.reduce((sum, each) => sum + each.sizeBytes, 0);
      return { digest, platform: platform || platformOf(version), sizeBytes };
    } catch (error) {
      throw error instanceof NotFound ? new NotFound("packages.child-unknown") : error;
    }
  }

  private async metadataOf(
    seen: SeenPackages,
    image: string,
    manifest: Manifest,
    children: readonly { digest: string; platform: string; sizeBytes: number }[],
  ): Promise<object> {
    if (!manifest.config)
      return {
        type: "oci",
        manifests: children.map(({ digest, platform, sizeBytes }) => ({ platform, digest, size: sizeBytes })),
      };
    const file = this.blob(seen, image, manifest.config.digest);
    if (!file || file.sizeBytes > MAX_CONFIG_BYTES) return imageMetadata(manifest, undefined);
    const parsed = parseJson(await this.packages.open(file, false).bytes());
    return imageMetadata(manifest, "value" in parsed ? parsed.value : undefined);
  }

  /** Blobs that a manifest names no longer wait for one. Runs in the transaction that stores the manifest. */
  private moveOut(seen: SeenPackages, { package: of }: PackageVersion, blobs: readonly PackageFile[]): void {
    const uploads = this.packages.versionOf(of, UPLOADS);
    if (!uploads) return;
    this.packages.deleteFiles(
      seen,
      blobs.filter(({ versionId }) => versionId === uploads.id),
    );
  }
}

const propertyOf = (properties: readonly Property[], wanted: string) =>
  properties.find(({ name }) => name === wanted)?.value ?? "";

function platformOf(version: PackageVersion | undefined): string {
  const read: unknown = version?.metadata === undefined ? {} : JSON.parse(version.metadata);
  return typeof read === "object" && read !== null && "platform" in read ? String(read.platform) : "";
}
