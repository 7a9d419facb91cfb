/** The rendered form of a file, determined by its name (contract web.md 4.9). */
export type DocumentKind = "markdown" | "org" | "notebook" | "table" | "recording" | "api";

const KINDS: readonly (readonly [DocumentKind, RegExp])[] = [
  ["markdown", /\.(?:md|markdown|mdown|mkdn?|mdwn|livemd)$/i],
  ["org", /\.org$/i],
  ["notebook", /\.ipynb$/i],
  ["table", /\.(?:csv|tsv)$/i],
  ["recording", /\.cast$/i],
  ["api", /^(?:openapi|swagger)\.(?:json|ya?ml)$/i],
];

/** undefined if the file is shown only as text. */
export function documentKind(path: string): DocumentKind | undefined {
  const name = path.split("/").at(-1) ?? "";
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0];
}

/** Kinds that become part of a page; the others are shown in a frame. */
export type TextKind = Extract<DocumentKind, "markdown" | "org" | "notebook">;

export function isTextKind(kind: DocumentKind | undefined): kind is TextKind {
  return kind === "markdown" || kind === "org" || kind === "notebook";
}
