import { version } from "../package.json";

/** Hearth's own version; package.json has it. */
export const HEARTH_VERSION: string = version;

/**
 * What `/api/v1/version` says: clients of Gitea gate their features on the first part, so it is the version whose
 * dialect is spoken, with our own behind the plus.
 */
export const API_VERSION = `1.27.0+hearth-${HEARTH_VERSION}`;
