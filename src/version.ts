/** Hearth's own version. */
export const HEARTH_VERSION = "0.1.0";

/**
 * What `/api/v1/version` says: clients of Gitea gate their features on the first part, so it is the version whose
 * dialect is spoken, with our own behind the plus.
 */
export const API_VERSION = `1.27.0+hearth-${HEARTH_VERSION}`;
