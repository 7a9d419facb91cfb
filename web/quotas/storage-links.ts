/** The page of one's own storage. */
export const storageHref = "/user/settings/storage_overview";
