/** The page of the user's own storage. */
export const storageHref = "/user/settings/storage_overview";
