import { accessSync, chmodSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "./problem.ts";

/** Whether the data directory exists, is writable, and is closed to others. With `fix` it is closed. */
export function checkFolder(dataDir: string, fix: boolean): Problem[] {
  const problems: Problem[] = [];
  const close = (path: string, mode: number, what: string) => {
    if (process.platform === "win32" || !existsSync(path) || (statSync(path).mode & 0o077) === 0) return;
    if (fix) chmodSync(path, mode);
    else problems.push({ code: "data-folder.open-to-others", params: { path: what }, canFix: true });
  };
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [{ code: "data-folder.not-writable", params: { path: dataDir }, canFix: false }];
  }
  close(dataDir, 0o700, dataDir);
  // Everything else is protected by the directory; this file deserves its own protection.
  close(join(dataDir, "secret.key"), 0o600, "secret.key");
  if (!existsSync(join(dataDir, "secret.key"))) problems.push({ code: "data-folder.no-secret-key", canFix: false });
  return problems;
}
