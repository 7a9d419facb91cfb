import { BadRequest } from "../../../kernel/errors.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { arEntries } from "../archives/ar.ts";
import { readFirst } from "../archives/tar.ts";
import { type Packing, unpacked } from "../archives/unpack.ts";
import { type Control, readControl } from "./control.ts";

const MAX_UNPACKED_BYTES = 32 << 20;
const MAX_CONTROL_BYTES = 1 << 20;
const MAX_LENGTH = 200;

const NAME = /^[a-z0-9][a-z0-9+.-]+$/;
const VERSION = /^((0|[1-9]\d*):)?[a-zA-Z0-9.+~]+(-[a-zA-Z0-9.+~-]+)?$/;
const ARCHITECTURE = /^[a-z0-9-]+$/;

/** Compression of the control archive, by its file name extension. */
const packings: Readonly<Record<string, Packing>> = { "": "none", ".gz": "gzip", ".xz": "xz", ".zst": "zstd" };

/** `control` in `control.tar` in an ar archive (deb(5)). @throws BadRequest */
export async function readDeb(pool: WorkerPool, file: Blob): Promise<Control> {
  const control = readControl(await controlFile(pool, file));
  const { architecture, name, version } = control;
  if (!NAME.test(name) || name.length > MAX_LENGTH) throw new BadRequest("packages.invalid-name");
  if (!VERSION.test(version) || version.length > MAX_LENGTH) throw new BadRequest("packages.invalid-version");
  if (!ARCHITECTURE.test(architecture) || architecture.length > MAX_LENGTH)
    throw new BadRequest("packages.invalid-architecture");
  return control;
}

async function controlFile(pool: WorkerPool, file: Blob): Promise<string> {
  for await (const { content, name } of arEntries(file)) {
    if (!name.startsWith("control.tar")) continue;
    const packing = packings[name.slice("control.tar".length)];
    if (!packing) throw new BadRequest("packages.unsupported-packing");
    const bytes = await readFirst(
      unpacked(content, packing, MAX_UNPACKED_BYTES, pool),
      (entry) => entry === "control",
      MAX_CONTROL_BYTES,
    );
    if (bytes) return new TextDecoder().decode(bytes);
    break;
  }
  throw new BadRequest("packages.control-missing");
}
