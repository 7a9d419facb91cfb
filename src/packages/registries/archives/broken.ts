import { BadRequest } from "../../../kernel/errors.ts";

/** What was sent is no archive of the kind it should be, or asks for more than is read. */
export const brokenArchive = () => new BadRequest("packages.bad-archive");

/** So much is unpacked in search of a file; what comes after is not looked at. */
export const MAX_UNPACKED_BYTES = 2 ** 31;

/** More files than any package has. */
export const MAX_ENTRIES = 1_000_000;
