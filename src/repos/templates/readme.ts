/** The one template a README may start from. */
export const readmeNames = ["Default"] as const;

/** A `README.md` with the repository's name and description. */
export function readmeFrom(repo: { readonly name: string; readonly description: string }): string {
  const description = repo.description.trim();
  // Without a last line end, as the references write it.
  return description === "" ? `# ${repo.name}\n` : `# ${repo.name}\n\n${description}`;
}
