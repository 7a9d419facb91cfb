import { eachConfigValue } from "../config/reader.ts";
import { isSubmoduleName, isSubmoduleUrl } from "../config/submodules.ts";
import type { Report } from "./problems.ts";

/**
 * `.gitmodules` and `.gitattributes` make clients write files and run commands; known attacks are refused here
 * (CVE-2018-11235, CVE-2018-17456, CVE-2019-19604, CVE-2020-5260, CVE-2020-11008, CVE-2022-23521).
 */

/** git ignores longer lines and larger files of `.gitattributes`. */
const MAX_ATTRIBUTES_LINE_BYTES = 2048;
export const MAX_ATTRIBUTES_BYTES = 100 * 1024 * 1024;

/** `text`: one character per byte (latin1). */
export function checkGitmodules(text: string, report: Report): void {
  const start = "submodule.".length;
  const badLine = eachConfigValue(text, (variable, value) => {
    // Splits `submodule.<name>.<key>` as git does: at the last dot.
    const dot = variable.lastIndexOf(".");
    if (!variable.startsWith("submodule.") || dot < start) return;
    const name = variable.slice(start, dot);
    const key = variable.slice(dot + 1);
    if (!isSubmoduleName(name)) report("gitmodulesName", `disallowed submodule name: ${name}`);
    if (value === undefined) return;
    if (key === "url" && !isSubmoduleUrl(value)) report("gitmodulesUrl", `disallowed submodule url: ${value}`);
    if (key === "path" && value.startsWith("-")) report("gitmodulesPath", `disallowed submodule path: ${value}`);
    if (key === "update" && value.startsWith("!"))
      report("gitmodulesUpdate", `disallowed submodule update setting: ${value}`);
  });
  if (badLine !== undefined) report("gitmodulesParse", "could not parse gitmodules blob");
}

/** `data`: the whole file. */
export function checkGitattributes(data: Uint8Array, report: Report): boolean {
  if (data.length > MAX_ATTRIBUTES_BYTES) return report("gitattributesLarge", ".gitattributes too large to parse");
  const nul = data.indexOf(0);
  const end = nul < 0 ? data.length : nul;
  for (let at = 0; at < end; ) {
    const lf = data.indexOf(0x0a, at);
    const lineEnd = lf < 0 || lf > end ? end : lf;
    if (lineEnd - at >= MAX_ATTRIBUTES_LINE_BYTES)
      return report("gitattributesLineLength", ".gitattributes has too long lines to parse");
    at = lineEnd + 1;
  }
  return true;
}
