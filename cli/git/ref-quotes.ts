/** Makes a text a string of some language (git-for-each-ref(1), `--shell` and its like). */
export type Quoting = (text: string) => string;

const TCL_SIGNS: Readonly<Record<string, string>> = { "\f": "\\f", "\r": "\\r", "\n": "\\n", "\t": "\\t", "\v": "\\v" };

export const QUOTINGS: Readonly<Record<string, Quoting>> = {
  shell: (text) => `'${text.replace(/['!]/g, "'\\$&'")}'`,
  perl: (text) => `'${text.replace(/['\\]/g, "\\$&")}'`,
  python: (text) => `'${text.replace(/['\\]/g, "\\$&").replaceAll("\n", "\\n")}'`,
  tcl: (text) => `"${text.replace(/[[\]{}$\\"]/g, "\\$&").replace(/[\f\r\n\t\v]/g, (sign) => TCL_SIGNS[sign]!)}"`,
};
