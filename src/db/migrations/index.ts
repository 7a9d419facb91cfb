import first from "./0001-first.sql" with { type: "text" };
import objectFormat from "./0002-object-format.sql" with { type: "text" };
import activityUnits from "./0003-activity-units.sql" with { type: "text" };
import blobs from "./0004-blobs.sql" with { type: "text" };
import avatars from "./0005-avatars.sql" with { type: "text" };

/** In order; number n brings schema n. Never edited after it landed. */
export const migrations: readonly string[] = [first, objectFormat, activityUnits, blobs, avatars];
