/** Of a file. */
export const Property = {
  group: "rpm.group",
  architecture: "rpm.architecture",
  /** What its header says, packed. */
  metadata: "rpm.metadata",
} as const;
