import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { User } from "../../../access/user.ts";
import type { Services } from "../../../services.ts";
import type { IndexDraft, IndexEntry } from "../../indices/draft.ts";
import type { IndexBuilder } from "../../indices/service.ts";
import type { AlpineFile } from "./facts.ts";

/**
 * The package index for apk: two gzip members, each a tar archive, the first of which signs the bytes of the second. A
 * part is a branch, a repository and an architecture, separated by `|`.
 */

export const INDEX = "APKINDEX.tar.gz";
export const METADATA = "alpine.metadata";
/** The architecture of packages for every architecture. */
export const ANY = "noarch";

export const partOf = (branch: string, repository: string, architecture: string) =>
  `${branch}|${repository}|${architecture}`;
const [RECORD, PADDED] = [512, (size: number) => Math.ceil(size / 512) * 512];
const pack = promisify(gzip) as (bytes: Uint8Array) => Promise<Buffer>;

/** The name of an owner's key, which the index refers to. */
export function keyFileOf({ login }: Pick<User, "login">, pem: string): string {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
  return `${login.toLowerCase()}@${createHash("sha256").update(der).digest("hex")}.rsa.pub`;
}

const architectureOf = (part: string) => part.split("|")[2] ?? "";
const anyOf = (part: string) => `${part.split("|").slice(0, 2).join("|")}|${ANY}`;

export class AlpineIndex implements IndexBuilder {
  constructor(private readonly services: Pick<Services, "packageOwnerKeys">) {}

  covers(compositeKey: string, parts: readonly string[]): boolean {
    return parts.includes(compositeKey) || parts.includes(anyOf(compositeKey));
  }

  async build(draft: IndexDraft, parts: readonly string[]): Promise<void> {
    const hasAny = parts.some((part) => architectureOf(part) === ANY);
    const changed = hasAny ? draft.parts().filter((part) => this.covers(part, parts)) : parts;
    for (const part of changed) if (draft.count(part) > 0) await this.put(draft, part);
  }

  private async put(draft: IndexDraft, part: string): Promise<void> {
    const { packageOwnerKeys } = this.services;
    const records: string[] = [];
    for (const each of new Set([part, anyOf(part)]))
      for await (const page of draft.entries(each))
        records.push(page.map((entry) => recordOf(entry, architectureOf(part))).join(""));
    const content = await pack(await new Bun.Archive({ APKINDEX: records.join("") }).bytes());
    const pem = await packageOwnerKeys.publicKey(draft.owner, "alpine");
    const [signature] = await packageOwnerKeys.sign(draft.owner, "alpine", [{ data: content, form: "rsa-sha1" }]);
    if (!signature) throw new Error("what is to be signed is signed");
    const signed = await new Bun.Archive({ [`.SIGN.RSA.${keyFileOf(draft.owner, pem)}`]: signature }).bytes();
    // Without the end-of-archive blocks: readers continue with the second archive.
    const open = signed.subarray(0, RECORD + PADDED(signature.byteLength));
    await draft.put(part, INDEX, Buffer.concat([await pack(open), content]));
  }
}

function recordOf({ file, property }: IndexEntry, architecture: string): string {
  const facts = JSON.parse(property(METADATA) ?? "{}") as AlpineFile;
  const always = (key: string, value: string | number) => [`${key}:${value}`];
  const given = (key: string, value: string) => (value === "" ? [] : [`${key}:${value}`]);
  const lines = [
    always("C", facts.checksum),
    always("P", file.packageName),
    always("V", file.version),
    always("A", architecture),
    given("T", facts.description),
    given("U", facts.url),
    given("L", facts.license),
    always("S", file.sizeBytes),
    always("I", facts.installedSize),
    always("o", facts.origin),
    always("m", facts.maintainer),
    always("t", facts.buildDate),
    given("c", facts.commit),
    given("D", facts.depends.join(" ")),
    given("p", facts.provides.join(" ")),
    given("i", facts.installIf),
    given("k", facts.providerPriority),
  ];
  return `${lines.flat().join("\n")}\n\n`;
}
