/** One end of a comparison as it is written. */
export interface SpecEnd {
  /** `owner` or `owner/repository` before the colon; undefined: the repository of the address. */
  readonly place: string | undefined;
  /** A revision; empty: the default branch. */
  readonly revision: string;
}

/** What is compared with what (contract git-content.md 7.5). */
export interface CompareSpec {
  readonly base: SpecEnd;
  readonly head: SpecEnd;
  /** Three dots: since they parted. Two: as they are. */
  readonly symmetric: boolean;
}

/** @param text `base...head`, `base..head`, or a head alone; each may begin with `owner:` or `owner/repository:` */
export function readCompareSpec(text: string): CompareSpec {
  const dots = /\.{2,3}/.exec(text);
  if (!dots) return { base: { place: undefined, revision: "" }, head: endOf(text), symmetric: true };
  return {
    base: endOf(text.slice(0, dots.index)),
    head: endOf(text.slice(dots.index + dots[0].length)),
    symmetric: dots[0].length === 3,
  };
}

/** No name of a ref holds a colon. */
function endOf(text: string): SpecEnd {
  const colon = text.indexOf(":");
  return colon < 0
    ? { place: undefined, revision: text }
    : { place: text.slice(0, colon), revision: text.slice(colon + 1) };
}
