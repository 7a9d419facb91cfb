/** File properties. */
export const Property = {
  group: "rpm.group",
  architecture: "rpm.architecture",
  /** The facts of its header, packed. */
  metadata: "rpm.metadata",
} as const;
