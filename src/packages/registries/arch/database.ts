/** Of a file. */
export const Property = {
  repository: "arch.repository",
  architecture: "arch.architecture",
  /** What the package says of itself, as JSON. */
  metadata: "arch.metadata",
  /** In base64. */
  signature: "arch.signature",
} as const;

/** Tells files of one name apart, and databases. */
export const keyOf = (repository: string, architecture: string): string => `${repository}|${architecture}`;
