import { expansionsOf } from "./names.ts";

/** The namespaces a short name is looked up in, the most specific first. `refs/remotes/o/HEAD` stays `o/HEAD`. */
const PLACES = [/^refs\/remotes\/(.+)$/, /^refs\/heads\/(.+)$/, /^refs\/tags\/(.+)$/, /^refs\/(.+)$/];

/**
 * The shortest name that git resolves unambiguously to the ref (`refname:short`, `--abbrev-ref`).
 * @param exists whether there is a ref with that full name
 * @param loose a name is ambiguous only if git would resolve it to another ref first
 */
export function shortenRefName(name: string, exists: (full: string) => boolean, loose = false): string {
  for (const place of PLACES) {
    const short = place.exec(name)?.[1];
    if (short === undefined) continue;
    const all = expansionsOf(short);
    const others = loose ? all.slice(0, all.indexOf(name)) : all;
    if (!others.some((full) => full !== name && exists(full))) return short;
  }
  return name;
}
