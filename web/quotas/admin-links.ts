import { segment } from "../../src/kernel/url-path.ts";

/** Rules and groups. */
export const QUOTAS = "/-/admin/quotas";

export const groupHref = (name: string) => `${QUOTAS}/groups/${segment(name)}`;
