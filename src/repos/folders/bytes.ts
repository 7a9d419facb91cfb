import { join } from "node:path";

/** Total bytes of all files below a folder. Files that vanish meanwhile do not count. */
export async function folderBytes(folder: string): Promise<number> {
  const { readdir, stat } = await import("node:fs/promises");
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
