import { attributes } from "./elements.ts";

/**
 * The frame of repository documents around their package elements, and the document that lists them
 * (contract packages.md 9.17).
 */

export const REPOMD = "repomd.xml";
export const SIGNATURE = "repomd.xml.asc";

export type DocumentKind = "primary" | "filelists" | "other" | "updateinfo";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACES = "http://linux.duke.edu/metadata";

/** The text before and after the elements. @param count the number of packages */
export function frameOf(kind: DocumentKind, count: number): readonly [before: string, after: string] {
  switch (kind) {
    case "primary": {
      const namespaces = attributes({ xmlns: `${NAMESPACES}/common`, "xmlns:rpm": `${NAMESPACES}/rpm` });
      return [`${HEAD}<metadata${namespaces}${attributes({ packages: count })}>\n`, "</metadata>\n"];
    }
    case "filelists":
      return [
        `${HEAD}<filelists${attributes({ xmlns: `${NAMESPACES}/filelists`, packages: count })}>\n`,
        "</filelists>\n",
      ];
    case "other":
      return [`${HEAD}<otherdata${attributes({ xmlns: `${NAMESPACES}/other`, packages: count })}>\n`, "</otherdata>\n"];
    case "updateinfo":
      return [`${HEAD}<updates>\n`, "</updates>\n"];
  }
}

/** A document as stored, and before compression. */
export interface WrittenDocument {
  readonly kind: DocumentKind;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly openSha256: string;
  readonly openBytes: number;
}

export const fileOf = (kind: DocumentKind): string => `${kind}.xml.gz`;

/** @param at seconds since 1970 */
export function repomd(documents: readonly WrittenDocument[], at: number): string {
  const namespaces = attributes({ xmlns: `${NAMESPACES}/repo`, "xmlns:rpm": `${NAMESPACES}/rpm` });
  const checksum = attributes({ type: "sha256" });
  const data = documents.map(
    ({ kind, openBytes, openSha256, sha256, sizeBytes }) => `<data${attributes({ type: kind })}>
<checksum${checksum}>${sha256}</checksum>
<open-checksum${checksum}>${openSha256}</open-checksum>
<location${attributes({ href: `repodata/${fileOf(kind)}` })}/>
<timestamp>${at}</timestamp>
<size>${sizeBytes}</size>
<open-size>${openBytes}</open-size>
</data>
`,
  );
  return `${HEAD}<repomd${namespaces}>\n<revision>${at}</revision>\n${data.join("")}</repomd>\n`;
}
