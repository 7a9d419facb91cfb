/** Stands in for postcss in the executable (see build.ts). @throws Error always: styles are not allowed */
export function parse(): never {
  throw new Error("styles are not read");
}
