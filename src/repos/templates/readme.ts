/** The only template a README may start from. */
export const readmeNames = ["Default"] as const;

/** A `README.md` with the repository's name and description. */
export function readmeFrom(repo: { readonly name: string; readonly description: string }): string {
  // Without a final newline, as the references write it.
  return `# ${repo.name}\n\n${repo.description.trim()}`;
}
