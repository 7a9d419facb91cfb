import { type Entry, tar } from "./archives.ts";
import { hash } from "./world.ts";

export interface ApkOptions {
  readonly version?: string;
  readonly architecture?: string;
  /** Lines behind the first. */
  readonly more?: string;
}

/** A gzip member around an archive without its end, as apk's packages are made of them. */
export const member = (entries: readonly Entry[]): Buffer =>
  Buffer.from(Bun.gzipSync(new Uint8Array(tar(entries).subarray(0, -1024))));

export function infoOf(
  name: string,
  { architecture = "x86_64", more = "", version = "1.0-r0" }: ApkOptions = {},
): string {
  return `# made for tests\npkgname = ${name}\npkgver = ${version}\narch = ${architecture}\n${more}`;
}

/** A package, and the checksum that the index has of it. */
export function apkOf(info: string): { readonly content: Buffer; readonly checksum: string } {
  const control = member([
    [".PKGINFO", info],
    [".post-install", "#!/bin/sh\n"],
  ]);
  const content = Buffer.concat([
    member([[".SIGN.RSA.ada.rsa.pub", "signature"]]),
    control,
    Buffer.from(Bun.gzipSync(new Uint8Array(tar([["usr/bin/kit", "kit\n"]])))),
  ]);
  return { content, checksum: `Q1${Buffer.from(hash("sha1", control), "hex").toString("base64")}` };
}

export const apk = (name: string, options: ApkOptions = {}): Buffer => apkOf(infoOf(name, options)).content;
