/** Finds the README of a directory (contract: web.md section 4.7). */

/** Directories searched if the root has none. */
export const README_DIRECTORIES = ["docs", ".gitea", ".github"] as const;

/**
 * The file names in a directory that may be its README, best first; try the next if one cannot be shown (a broken
 * symlink). `language` is the viewer's, such as `de-DE`.
 */
export function readmeCandidates(names: readonly string[], language?: string): string[] {
  const slots = slotNames(language);
  const found: { name: string; slot: number }[] = [];
  for (const name of names) {
    const lower = name.toLowerCase();
    const slot = slots.indexOf(lower);
    if (slot >= 0) found.push({ name, slot });
    else if (lower.startsWith("readme.")) found.push({ name, slot: slots.length });
  }
  const natural = new Intl.Collator("en", { numeric: true });
  // Two files in one slot (README.md and readme.md): the later in natural order; other README.* in natural order.
  found.sort(
    (a, b) =>
      a.slot - b.slot ||
      (a.slot < slots.length ? -1 : 1) * (natural.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)),
  );
  return found.map((entry) => entry.name);
}

function slotNames(language: string | undefined): string[] {
  const match = /^([a-z]{2,3})(?:[-_]([a-z]{2}|\d{3}))?$/i.exec(language ?? "");
  const base = match?.[1]?.toLowerCase();
  const region = match?.[2]?.toLowerCase();
  const own = !base
    ? []
    : region
      ? [`readme.${base}-${region}.md`, `readme.${base}_${region}.md`, `readme.${base}.md`, `readme_${base}.md`]
      : [`readme.${base}.md`];
  return [...own, "readme.md", "readme.txt", "readme"];
}
