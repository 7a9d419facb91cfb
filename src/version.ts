import { version } from "../package.json";

/** Hearth's own version, from package.json. */
export const HEARTH_VERSION: string = version;

/**
 * The version that `/api/v1/version` reports. Gitea clients gate features on the first part, so it names the Gitea
 * version whose API is implemented; Hearth's own version follows the plus.
 */
export const API_VERSION = `1.27.0+hearth-${HEARTH_VERSION}`;
