import type { Json } from "../../builders.ts";
import { type Entry, tar, zip } from "./archives.ts";

/** Packages of Conda as its tools make them: enough of them for what is read. */

export interface CondaPackage {
  readonly file: string;
  readonly content: Buffer;
}

export const infoOf = (index: object | string, about: object): Entry[] => [
  ["info/index.json", typeof index === "string" ? index : JSON.stringify(index)],
  ["info/about.json", JSON.stringify(about)],
];

/** As newer builders make them: two archives in a zip. */
export function aPackage(name: string, version = "1.0", more: Json = {}, about: object = {}): CondaPackage {
  const index = { name, version, build: "h1_0", build_number: 1, depends: ["python >=3"], subdir: "linux-64", ...more };
  const file = `${name}-${version}-${String(index.build)}`;
  return { file: `${file}.conda`, content: packed(infoOf(index, about), file) };
}
export const packed = (info: readonly Entry[], file = "one-1.0-h1_0") =>
  zip([
    ["metadata.json", '{"conda_pkg_format_version":2}'],
    [`pkg-${file}.tar.zst`, Bun.zstdCompressSync(tar([["lib/one", "1"]]))],
    [`info-${file}.tar.zst`, Bun.zstdCompressSync(tar(info))],
  ]);
