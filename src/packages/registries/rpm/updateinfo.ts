import { attributes, element } from "./elements.ts";
import { type Erratum, errataIn, mergedErratum } from "./errata.ts";

/** The errata of several versions for a group, without duplicates. @param versions their metadata */
export async function errataElements(group: string, versions: AsyncIterable<unknown>): Promise<string> {
  const merged = new Map<string, Erratum>();
  for await (const metadata of versions)
    for (const each of errataIn(metadata as object)) {
      const before = merged.get(each.id);
      if (each.group === group) merged.set(each.id, before ? mergedErratum(before, each) : each);
    }
  return [...merged.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(updateOf)
    .join("");
}

function updateOf(each: Erratum): string {
  const { description, from, id, issued, references, severity, status, title, type, updated, version } = each;
  const dates = [
    issued ? `<issued${attributes({ date: issued.date })}/>` : "",
    updated ? `<updated${attributes({ date: updated.date })}/>` : "",
  ];
  return `<update${attributes({ from, status, type, version })}>
${element("id", id)}${element("title", title)}${element("severity", severity)}${element("description", description)}${dates.join("")}
<references>${references.map(({ href, id: of, title: named, type: kind }) => `<reference${attributes({ href, id: of, title: named, type: kind })}/>`).join("")}</references>
<pkglist>${each.pkg_list.map(collectionOf).join("")}</pkglist>
</update>
`;
}

const collectionOf = ({ packages, short }: Erratum["pkg_list"][number]) =>
  `<collection${attributes({ short })}>${packages
    .map(
      ({ arch, filename, name, release, src, version }) =>
        `<package${attributes({ arch, name, release, src, version })}>${element("filename", filename)}</package>`,
    )
    .join("")}</collection>`;
