import type { Clock } from "../../../kernel/clock.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import type { IndexDraft, IndexEntry } from "../../indices/draft.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import type { OwnerKeys } from "../../owner-keys.ts";
import type { ContentHashes } from "../../types.ts";
import { gzipped, xzipped } from "../archives/pack.ts";

/**
 * The package index for apt (wiki.debian.org/DebianRepository/Format). A part is a distribution, a component and an
 * architecture, separated by `|`, and has a Packages file; a distribution has a Release file with all their hashes.
 */
export interface DebianIndexParts {
  readonly clock: Clock;
  readonly packageOwnerKeys: OwnerKeys;
  readonly pool: WorkerPool;
  /** The origin of the packages. */
  readonly siteName: string;
}

export const CONTROL = "debian.control";
export const partOf = (distribution: string, component: string, architecture: string) =>
  `${distribution}|${component}|${architecture}`;

/** Names of hashes in Release and in URLs. */
export const hashTitles = { MD5Sum: "md5", SHA1: "sha1", SHA256: "sha256", SHA512: "sha512" } as const;

const distributionOf = (part: string) => part.split("|")[0] ?? "";

export class DebianIndex implements IndexBuilder {
  readonly keepsReplaced = true;

  constructor(private readonly parts: DebianIndexParts) {}

  covers(compositeKey: string, parts: readonly string[]): boolean {
    return parts.some((part) => part === compositeKey || distributionOf(part) === compositeKey);
  }

  async build(draft: IndexDraft, parts: readonly string[]): Promise<void> {
    for (const part of parts) await this.putPackages(draft, part);
    for (const distribution of new Set(parts.map(distributionOf))) await this.putRelease(draft, distribution);
  }

  private async putPackages(draft: IndexDraft, part: string): Promise<void> {
    const pages = draft.entries(part);
    const first = await pages.next();
    if (first.done) return;
    const [distribution, component] = part.split("|");
    const text = async function* (): AsyncGenerator<Uint8Array> {
      const stanzas = (page: readonly IndexEntry[]) =>
        Buffer.from(page.map((entry) => stanzaOf(entry, `pool/${distribution}/${component}`)).join(""));
      yield stanzas(first.value);
      for await (const page of pages) yield stanzas(page);
    };
    const { path } = await draft.put(part, "Packages", text());
    await draft.put(part, "Packages.gz", gzipped(Bun.file(path).stream()));
    await draft.put(part, "Packages.xz", xzipped(Bun.file(path), this.parts.pool));
  }

  private async putRelease(draft: IndexDraft, distribution: string): Promise<void> {
    const indices = [
      ...draft.files.map(({ compositeKey, content, name }) => ({ compositeKey, name, content })),
      ...draft.staying.map((file) => ({ compositeKey: file.compositeKey, name: file.name, content: file })),
    ]
      .filter(({ compositeKey }) => compositeKey.startsWith(`${distribution}|`))
      .map(({ compositeKey, content, name }) => {
        const [, component = "", architecture = ""] = compositeKey.split("|");
        return { component, architecture, content, path: `${component}/binary-${architecture}/${name}` };
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    if (indices.length === 0) return;
    const release = Buffer.from(this.releaseOf(distribution, indices));
    const [inline, detached] = await this.parts.packageOwnerKeys.sign(draft.owner, "debian", [
      { data: release, form: "cleartext" },
      { data: release, form: "armored" },
    ]);
    if (!inline || !detached) throw new Error("what is to be signed is signed");
    await draft.put(distribution, "Release", release);
    await draft.put(distribution, "InRelease", inline);
    await draft.put(distribution, "Release.gpg", detached);
  }

  private releaseOf(
    distribution: string,
    indices: readonly {
      readonly component: string;
      readonly architecture: string;
      readonly path: string;
      readonly content: ContentHashes;
    }[],
  ): string {
    const { clock, siteName } = this.parts;
    const name = siteName.replace(/\s+/g, " ");
    const distinct = (values: readonly string[]) => [...new Set(values)].sort().join(" ");
    const sums = Object.entries(hashTitles).flatMap(([title, algorithm]) => [
      `${title}:`,
      ...indices.map(({ content, path }) => ` ${content[algorithm]} ${content.sizeBytes} ${path}`),
    ]);
    const lines = [
      `Origin: ${name}`,
      `Label: ${name}`,
      `Suite: ${distribution}`,
      `Codename: ${distribution}`,
      `Components: ${distinct(indices.map(({ component }) => component))}`,
      `Architectures: ${distinct(indices.map(({ architecture }) => architecture))}`,
      `Date: ${new Date(clock()).toUTCString().replace("GMT", "UTC")}`,
      "Acquire-By-Hash: yes",
      ...sums,
    ];
    return `${lines.join("\n")}\n`;
  }
}

function stanzaOf({ file, property }: IndexEntry, folder: string): string {
  const lines = [
    property(CONTROL) ?? "",
    `Filename: ${folder}/${file.name}`,
    `Size: ${file.sizeBytes}`,
    `MD5sum: ${file.md5}`,
    `SHA1: ${file.sha1}`,
    `SHA256: ${file.sha256}`,
    `SHA512: ${file.sha512}`,
  ];
  return `${lines.join("\n")}\n\n`;
}
