/** Which accounts to list: an account's followers, or those it follows. */
export type Side = "followers" | "following";
