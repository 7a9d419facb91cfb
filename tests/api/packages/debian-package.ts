import { type Entry, tar } from "./archives.ts";

/** An ar archive (deb(5)). */
export function ar(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(([name, content]) => {
    const data = Buffer.from(content);
    const numbers = ["0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8), String(data.length).padEnd(10)];
    return [Buffer.from(`${name.padEnd(16)}${numbers.join("")}\`\n`), data, Buffer.from(data.length % 2 ? "\n" : "")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}

export interface DebOptions {
  readonly version?: string;
  readonly architecture?: string;
  /** Lines behind the first. */
  readonly more?: string;
}

export function controlOf(
  name: string,
  { architecture = "amd64", more = "", version = "1.0-1" }: DebOptions = {},
): string {
  return `Package: ${name}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: Ada <ada@example.org>\n${more}`;
}

/** A package whose control files are packed by `pack`. */
export function debOf(
  control: string,
  archive = "control.tar.gz",
  pack = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => Bun.gzipSync(bytes),
): Buffer {
  return ar([
    ["debian-binary", "2.0\n"],
    [archive, pack(new Uint8Array(tar([["./control", control]])))],
    ["data.tar", tar([["./usr/share/doc/kit/README", "kit\n"]])],
  ]);
}

export const deb = (name: string, options: DebOptions = {}): Buffer => debOf(controlOf(name, options));
