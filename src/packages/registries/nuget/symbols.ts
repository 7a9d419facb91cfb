import { BadRequest } from "../../../kernel/errors.ts";
import { readZipEntry, type ZipEntry } from "../archives/zip.ts";

/**
 * Symbols of a package: portable PDB files (ECMA-335 II.24.2), each looked up by the id of its build.
 *
 *     magic 4 | versions 4 | reserved 4 | length 4 | version text | flags 2 | count 2
 *     for each stream: offset 4 | size 4 | name, padded with zeros to 4
 */

const ALLOWED = /\.(?:nuspec|xml|psmdcp|rels|p7s|pdb)$/i;
const MAGIC = 0x424a5342;
const MAX_PDB_BYTES = 64 << 20;
const MAX_SYMBOLS = 1000;

export interface SymbolFile {
  readonly entry: ZipEntry;
  /** Without directories, in lower case. */
  readonly name: string;
  readonly id: string;
}

/** The symbol files of a symbol package. @throws BadRequest if it holds anything else, or no symbols */
export async function readSymbols(file: Blob, entries: readonly ZipEntry[]): Promise<SymbolFile[]> {
  const files = entries.filter(({ name }) => !name.endsWith("/"));
  if (files.some(({ name }) => !ALLOWED.test(name))) throw new BadRequest("packages.symbols-files");
  const pdbs = files.filter(({ name }) => /\.pdb$/i.test(name));
  if (pdbs.length === 0) throw new BadRequest("packages.symbols-missing");
  if (pdbs.length > MAX_SYMBOLS) throw new BadRequest("packages.symbols-files");
  const found = new Map<string, SymbolFile>();
  for (const entry of pdbs) {
    const name = entry.name.replace(/^.*[/\\]/s, "").toLowerCase();
    const id = symbolIdOf(await readSymbol(file, entry));
    // The same build may appear in several directories.
    found.set(`${id}/${name}`, { entry, name, id });
  }
  return [...found.values()];
}

export const readSymbol = (file: Blob, entry: ZipEntry): Promise<Uint8Array> =>
  readZipEntry(file, entry, MAX_PDB_BYTES);

function symbolIdOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 16 || view.getUint32(0, true) !== MAGIC) throw new BadRequest("packages.pdb-magic");
  const at = streamOffset(view);
  if (at + 16 > view.byteLength) throw missing();
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const head = hex(view.getUint32(at, true), 8) + hex(view.getUint16(at + 4, true), 4);
  return head + hex(view.getUint16(at + 6, true), 4) + Buffer.from(bytes.subarray(at + 8, at + 16)).toString("hex");
}

const missing = () => new BadRequest("packages.pdb-stream");

/** The offset of the `#Pdb` stream. */
function streamOffset(view: DataView): number {
  const start = 16 + view.getUint32(12, true) + 2;
  if (start + 2 > view.byteLength) throw missing();
  const count = view.getUint16(start, true);
  for (let [at, n] = [start + 2, 0]; n < count; n++) {
    let name = "";
    let end = at + 8;
    for (; end < view.byteLength && view.getUint8(end) !== 0; end++) name += String.fromCharCode(view.getUint8(end));
    if (end >= view.byteLength || name.length > 32) throw missing();
    if (name === "#Pdb") return view.getUint32(at, true);
    at += 8 + (Math.floor(name.length / 4) + 1) * 4;
  }
  throw missing();
}
