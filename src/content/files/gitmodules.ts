/**
 * The addresses of submodules by their path, as `.gitmodules` has them: sections of `key = value` lines, values maybe
 * in quotes (git-config(1), "Syntax"). What cannot be read is passed over.
 */
export function submoduleUrls(text: string): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  let path: string | undefined;
  let url: string | undefined;
  const finish = () => {
    if (path !== undefined && url !== undefined) urls.set(path, url);
    path = undefined;
    url = undefined;
  };
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line)) finish();
    const pair = /^\s*(path|url)\s*=\s*(.*?)\s*$/i.exec(line);
    if (!pair) continue;
    const value = unquoted(pair[2] ?? "");
    if (pair[1]?.toLowerCase() === "path") path = value;
    else url = value;
  }
  finish();
  return urls;
}

function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
  return value.replace(/\s+[#;].*$/, "");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };
