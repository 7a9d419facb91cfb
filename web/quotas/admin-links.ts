import { segment } from "../../src/kernel/url-path.ts";

/** The page with rules and groups. */
export const QUOTAS = "/-/admin/quotas";

export const groupHref = (name: string) => `${QUOTAS}/groups/${segment(name)}`;
