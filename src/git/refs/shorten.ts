import { expansionsOf } from "./names.ts";

/** The places a short name is looked up in, the most particular first. `refs/remotes/o/HEAD` stays `o/HEAD`. */
const PLACES = [/^refs\/remotes\/(.+)$/, /^refs\/heads\/(.+)$/, /^refs\/tags\/(.+)$/, /^refs\/(.+)$/];

/**
 * The shortest name by which git finds the ref and no other (`refname:short`, `--abbrev-ref`).
 * @param exists tells whether there is a ref of that full name
 * @param loose only those that git would take before it count as others
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
