import { BadRequest } from "../../../kernel/errors.ts";

/** The archive is not of the expected kind, or exceeds a limit. */
export const brokenArchive = () => new BadRequest("packages.bad-archive");

/** Unpacked bytes searched for a file; the rest is ignored. */
export const MAX_UNPACKED_BYTES = 2 ** 31;

/** More files than any package has. */
export const MAX_ENTRIES = 1_000_000;
