import { BadRequest } from "../../../kernel/errors.ts";
import { gzipMembers } from "../archives/gzip-members.ts";
import { tarEntries } from "../archives/tar.ts";
import { type AlpineFacts, readFacts } from "./facts.ts";

/** Limit for what precedes a package's files: its signature and scripts. */
const MAX_UNPACKED_BYTES = 256 << 20;
const MAX_INFO_BYTES = 1 << 20;

/** Parses `.PKGINFO` from one of the gzipped tar archives that form a package (apk-package(5)). @throws BadRequest */
export async function readApk(file: Blob): Promise<AlpineFacts> {
  for await (const { packed, unpacked } of gzipMembers(file, MAX_UNPACKED_BYTES)) {
    // Read the whole member, even past the end of the archive in it.
    const once = { [Symbol.asyncIterator]: () => ({ next: () => unpacked.next() }) };
    let info: Uint8Array | undefined;
    for await (const entry of tarEntries(once))
      if (entry.isFile && entry.name === ".PKGINFO") info = await entry.read(MAX_INFO_BYTES);
    for await (const _ of unpacked);
    if (!info) continue;
    const hasher = new Bun.CryptoHasher("sha1");
    for await (const chunk of packed().stream()) hasher.update(chunk);
    return readFacts(new TextDecoder().decode(info), `Q1${hasher.digest("base64")}`);
  }
  throw new BadRequest("packages.alpine-missing");
}
