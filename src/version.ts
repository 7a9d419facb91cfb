import { version } from "../package.json";

/** Hearth's version, from package.json. */
export const HEARTH_VERSION: string = version;

/**
 * The version in `/api/v1/version`: Gitea's clients enable features by the first part, so it is the version whose API
 * is implemented, with our own after the plus.
 */
export const API_VERSION = `1.27.0+hearth-${HEARTH_VERSION}`;
