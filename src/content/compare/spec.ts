/** One end of a comparison as written. */
export interface SpecEnd {
  /** `owner` or `owner/repository` before the colon; undefined: the repository in the URL. */
  readonly place: string | undefined;
  /** A revision; empty: the default branch. */
  readonly revision: string;
}

/** The two ends of a comparison (contract git-content.md 7.5). */
export interface CompareSpec {
  readonly base: SpecEnd;
  readonly head: SpecEnd;
  /** Three dots: since the two diverged. Two: as they are. */
  readonly symmetric: boolean;
}

/** @param text `base...head`, `base..head`, or only a head; each may start with `owner:` or `owner/repository:` */
export function readCompareSpec(text: string): CompareSpec {
  const dots = /\.{2,3}/.exec(text);
  if (!dots) return { base: { place: undefined, revision: "" }, head: endOf(text), symmetric: true };
  return {
    base: endOf(text.slice(0, dots.index)),
    head: endOf(text.slice(dots.index + dots[0].length)),
    symmetric: dots[0].length === 3,
  };
}

/** Ref names contain no colons. */
function endOf(text: string): SpecEnd {
  const colon = text.indexOf(":");
  return colon < 0
    ? { place: undefined, revision: text }
    : { place: text.slice(0, colon), revision: text.slice(colon + 1) };
}
