import { join } from "node:path";
import { readFile } from "../../workers/descriptors.ts";
import { GitError } from "../errors.ts";
import { formatNamed, type ObjectFormat, SHA1 } from "../objects/format.ts";

/** The repository's config names an object format this engine does not support. */
export class UnknownObjectFormat extends GitError {
  override name = "UnknownObjectFormat";
}

/**
 * The object format of the repository in `repoDir`: `extensions.objectformat` in its own config file, SHA-1 by default.
 * Other config files and included files are ignored (gitrepository-layout(5), hash-function-transition).
 * @throws UnknownObjectFormat
 */
export function objectFormatOf(repoDir: string): ObjectFormat {
  let text: string;
  try {
    text = readFile(join(repoDir, "config")).toString();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return SHA1;
    throw error;
  }
  const name = lastValue(text);
  const format = name === undefined ? SHA1 : formatNamed(name);
  if (format) return format;
  throw new UnknownObjectFormat(`invalid value for 'extensions.objectformat': '${name?.slice(0, 100)}'`);
}

/** The last value of `extensions.objectformat`. Parses only that key, so that a damaged line elsewhere does no harm. */
function lastValue(text: string): string | undefined {
  let inSection = false;
  let found: string | undefined;
  for (const line of text.split("\n")) {
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    if (header) inSection = header[1]!.trim().toLowerCase() === "extensions";
    if (!inSection) continue;
    const value = /^\s*objectformat\s*=\s*([^#;]*)/i.exec(header ? line.slice(header[0].length) : line)?.[1];
    if (value !== undefined) found = value.trim().replace(/^"(.*)"$/, "$1");
  }
  return found;
}
